import { toFirstPage, withoutFilters } from '@agent-registry/contracts';
import { focusContainer } from '../../components/focus-container.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { ListLink } from '../../navigation/ListLink.tsx';
import { listActiveFilters } from './active-filters.ts';
import classes from './Filters.module.css';

/** The active filters, each with a link that removes it. */
export function ActiveFilters() {
  const { chosen } = useChosenList();
  const active = listActiveFilters(chosen);
  if (active.length === 0) return null;
  return (
    <ul className={classes.tokens} aria-label="Active filters">
      {active.map(({ label, list }) => (
        <li key={label}>
          <ListLink
            list={list}
            onClick={focusContainer}
            className={classes.token}
            aria-label={`Remove the filter ${label}`}
          >
            <bdi>{label}</bdi> <span aria-hidden>×</span>
          </ListLink>
        </li>
      ))}
      <li>
        <ListLink list={withoutFilters(toFirstPage(chosen))} onClick={focusContainer}>
          Clear all
        </ListLink>
      </li>
    </ul>
  );
}
