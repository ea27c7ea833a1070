import { listActiveFilters, listOperators, parseText, toFirstPage, withoutFilters } from '@agent-registry/contracts';
import { focusContainer } from '../../components/focus-container.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { ListLink } from '../../navigation/ListLink.tsx';
import classes from './Filters.module.css';

/**
 * The active filters and the operators of the search, each with a link that removes it.
 * @param props.understood the search text as operators
 */
export function ActiveFilters({ understood = '' }: { understood: string | undefined }) {
  const { chosen } = useChosenList();
  const first = toFirstPage(chosen);
  const operators = listOperators(understood);
  const active = [
    ...listActiveFilters(chosen),
    ...operators.map(({ label, rest }) => ({ label, list: { ...first, text: rest } })),
  ];
  const text = operators.length > 0 ? parseText(understood).words.trim().replaceAll(/\s+/gu, ' ') : first.text;
  if (active.length === 0) return null;
  return (
    <ul className={classes.tokens} aria-label="Active filters">
      {active.map(({ label, list }, index) => (
        <li key={`${index} ${label}`}>
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
        <ListLink list={withoutFilters({ ...first, text })} onClick={focusContainer}>
          Clear all
        </ListLink>
      </li>
    </ul>
  );
}
