import { toComparePath, toSharedPath, MAX_COMPARED, countOf } from '@agent-registry/contracts';
import { Button, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { AgentCard } from '../../components/AgentCard.tsx';
import { AsyncState } from '../../components/AsyncState.tsx';
import { Arrow } from '../../lib/Arrow.tsx';
import { useToast } from '../../lib/toast-context.ts';
import { BackToList } from '../../navigation/BackToList.tsx';
import { keepAgents, MAX_KEPT, toKept, useKeptAgents } from '../../components/kept-agents.ts';
import classes from './KeptLists.module.css';
import { useKeptVersions } from './use-chosen-agents.ts';

export function SharedList({ ids }: { ids: readonly string[] }) {
  const { versions, isPending, error, retry } = useKeptVersions(ids);
  const kept = useKeptAgents();
  const showToast = useToast();
  const listed = versions.flatMap((version) => (typeof version === 'object' ? version : []));
  const backTo = { path: toSharedPath(ids), label: 'Back to the shared list' };
  const keepAll = () => {
    // Those that are kept stay first, and as they were.
    const all = new Map([...kept, ...listed.map(toKept), ...kept].map((agent) => [agent.id, agent]));
    const agents = [...all.values()].slice(0, MAX_KEPT);
    const added = `${countOf(agents.length - kept.length, 'agent')} added.`;
    const message = all.size > MAX_KEPT ? `${added} Your list is full with ${MAX_KEPT}.` : added;
    if (keepAgents(agents)) showToast({ title: 'Your list', message });
    else showToast({ title: 'Error', message: 'Your browser does not keep your choice.', variant: 'destructive' });
  };
  return (
    <div role="region" aria-labelledby="list-title" tabIndex={-1}>
      <div className={classes.head}>
        <BackToList className={classes.back} />
        <Title order={3} id="list-title">
          A shared list: {countOf(ids.length, 'agent')}
        </Title>
        <div className={classes.actions}>
          {listed.length > 1 && (
            <Link to={toComparePath(listed.slice(0, MAX_COMPARED).map(({ id }) => id))} rel="nofollow" className="pill">
              {listed.length > MAX_COMPARED ? 'Compare the first four' : 'Compare'} <Arrow />
            </Link>
          )}
          {listed.length > 0 && (
            <Button className="needs-scripts" onClick={keepAll}>
              Keep all
            </Button>
          )}
        </div>
      </div>
      {(isPending || error !== null) && (
        <AsyncState error={error} errorMessage="Some agents could not be loaded." retry={retry}>
          <p aria-busy>Loading agents…</p>
        </AsyncState>
      )}
      <ul className="cards">
        {listed.map((agent) => (
          <li key={agent.id}>
            <AgentCard agent={agent} backTo={backTo} />
          </li>
        ))}
      </ul>
      <ul aria-label="Not listed" className={classes.missing}>
        {ids.map((id, index) => {
          const version = versions[index];
          if (version !== 'withdrawn' && version !== 'unknown') return null;
          return (
            <li key={id}>
              {version === 'withdrawn' ? 'The agent' : 'No agent has the id'} ‘<bdi>{id}</bdi>’
              {version === 'withdrawn' && ' was withdrawn'}.
            </li>
          );
        })}
      </ul>
    </div>
  );
}
