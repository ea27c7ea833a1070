import { describeOrder, sortOptions, toFirstPage, type SortOrder } from '@agent-registry/contracts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { Choice, Menu } from './Menu.tsx';

/** The menu of the orders of the list. It stands beside the heading, and on small screens in the sheet of the filters. */
export function SortMenu() {
  const { chosen, choose } = useChosenList();
  const { category, text, sort } = chosen;
  const isSearch = !category && text !== '';
  const orders = sortOptions.filter(({ value }) => isSearch || value !== 'newest');
  const change = (changed: SortOrder | undefined) => choose({ ...toFirstPage(chosen), sort: changed });
  return (
    <Menu label={`Sort: ${describeOrder(chosen)}`} name="Sort" isActive={sort !== undefined}>
      <Choice
        type="radio"
        name="sort"
        option={{ value: '', label: isSearch ? 'Best match first' : 'Newest first' }}
        isChosen={!orders.some(({ value }) => value === sort)}
        onChange={() => change(undefined)}
      />
      {orders.map((option) => (
        <Choice
          key={option.value}
          type="radio"
          name="sort"
          option={option}
          isChosen={option.value === sort}
          onChange={() => change(option.value)}
        />
      ))}
    </Menu>
  );
}
