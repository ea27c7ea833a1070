import { isWebAddress, toAgentPath } from '@agent-registry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useApi } from '../../api/trpc.ts';
import classes from './AgentForm.module.css';

/** Says which agent is already listed with a website; nothing while that is unknown. */
export function SameWebsite({ website }: { website: string }) {
  const { data } = useQuery({
    ...useApi().queries.agents.list.queryOptions({ website, limit: 1 }),
    enabled: isWebAddress(website),
  });
  const listed = data?.agents[0];
  return (
    <div aria-live="polite" className={classes.sameWebsite}>
      {listed && (
        <>
          Already listed:{' '}
          <Link to={toAgentPath(listed.id)} dir="auto">
            {listed.name}
          </Link>
        </>
      )}
    </div>
  );
}
