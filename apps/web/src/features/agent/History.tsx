import { describeChange, endpoints, formatCount, type Agent, describeDay } from '@agent-registry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useApi, type Api } from '../../api/trpc.ts';
import { useSiteConfig } from '../../lib/site.ts';
import classes from './AgentDetails.module.css';

/** Changes on the page; the call has all. */
const SHOWN = 10;
/** Fewest changes with a list: what is known of the entry has the day of a first one. */
const MIN_SHOWN = 3;

export function toLatestChangesQuery({ client, queries }: Api, id: string) {
  return {
    queryKey: [...queries.agents.history.queryOptions({ id }).queryKey, 'latest'],
    queryFn: async () => {
      const history = await client.agents.history.query({ id });
      return { latest: history.slice(0, SHOWN), total: history.length };
    },
  };
}

export function History({ agent: { id } }: { agent: Agent }) {
  const { categories } = useSiteConfig();
  const { data: changes } = useQuery(toLatestChangesQuery(useApi(), id));
  if (!changes || changes.total < MIN_SHOWN) return null;
  return (
    <section className={classes.section} aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <ul className={classes.changes}>
        {changes.latest.map((entry, index) => (
          <li key={index}>
            <time dateTime={entry.at}>{describeDay(entry.at, 'medium')}</time>
            <span dir="auto">{describeChange(entry, categories)}</span>
          </li>
        ))}
      </ul>
      {changes.total > SHOWN && (
        <a href={endpoints['agents.history'].path.replace('{id}', id)}>All {formatCount(changes.total)} changes</a>
      )}
    </section>
  );
}
