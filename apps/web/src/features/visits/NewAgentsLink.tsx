import { formatCount } from '@agent-registry/contracts';
import { useAgentList, useFacets } from '../../api/use-agent-list.ts';
import { focusContainer } from '../../components/focus-container.ts';
import { useToday } from '../../lib/site.ts';
import { ListLink } from '../../navigation/ListLink.tsx';

/** How many agents are new since the UTC day of the last visit, and the list of them; empty while there is none. */
export function NewAgentsLink({ since }: { since: string }) {
  const today = useToday();
  // The list of them asks for the same facets.
  const count = useFacets({ since })?.total ?? 0;
  const newest = useAgentList({ text: '' }, { enabled: false }).agents?.[0];
  // Agents of an import are older than their entries.
  const isImport = newest !== undefined && newest.createdAt < since;
  return (
    // Always rendered: a live region announces changes of its text only.
    <span role="status">
      {count > 0 && (
        <>
          {' '}
          ·{' '}
          <ListLink change={{ since }} onClick={focusContainer}>
            {formatCount(count)} {isImport ? 'listed' : 'new'} <span>since {describeVisit(since, today)}</span>
          </ListLink>
        </>
      )}
    </span>
  );
}

/** The day of a visit, with its year if that is another one. */
function describeVisit(day: string, today: string): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return new Date(day).toLocaleDateString('en-US', {
    month: 'long',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  });
}
