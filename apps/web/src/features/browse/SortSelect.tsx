import { sortOptions, toFirstPage } from '@agent-registry/contracts';
import { useChosenList } from '../../navigation/chosen-list.tsx';

type SortSelectProps = {
  /** The name of its field in a form. */
  name?: string;
  className: string | undefined;
};

/** The orders of the list. They stand in the bar, and on small screens in the sheet of the filters. */
export function SortSelect({ name, className }: SortSelectProps) {
  const { chosen, choose } = useChosenList();
  const { category, text, sort } = chosen;
  const isSearch = !category && text !== '';
  const orders = sortOptions.filter(({ value }) => isSearch || value !== 'newest');
  return (
    <select
      aria-label="Sort"
      name={name}
      className={`pill ${className}`}
      data-active={sort !== undefined}
      value={orders.find(({ value }) => value === sort)?.value ?? ''}
      onChange={({ currentTarget: { value } }) =>
        choose({ ...toFirstPage(chosen), sort: orders.find((order) => order.value === value)?.value })
      }
    >
      <option value="">{isSearch ? 'Best match first' : 'Newest first'}</option>
      {orders.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
