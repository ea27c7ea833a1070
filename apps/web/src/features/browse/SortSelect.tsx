import { sortOptions } from '@agent-registry/contracts';
import { useChosenList } from '../../navigation/chosen-list.tsx';

/** The orders of the list. They stand in the bar, and on small screens in the sheet of the filters. */
export function SortSelect({ name, className }: { name?: string; className: string | undefined }) {
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
      onChange={({ currentTarget }) =>
        choose({ sort: orders.find(({ value }) => value === currentTarget.value)?.value })
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
