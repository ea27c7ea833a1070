import { HELD_STATUS, toAgentPath, toManagePath } from '@agent-registry/contracts';
import type { AgentContext } from '@agent-registry/client';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { readStatus } from '../../api/request-errors.ts';
import { useApi } from '../../api/trpc.ts';
import { AgentMark } from '../../components/AgentMark.tsx';
import { forgetKey, useOwnAgents, type OwnAgent } from '../../components/owner-keys.ts';
import { removeEntryDraft } from './entry-draft.ts';
import classes from './OwnAgents.module.css';

type OwnAgentsProps = {
  /** Called before a link is followed. */
  onChoose: () => void;
};

/** The agents whose keys this browser keeps, each with its state and a way to edit it. */
export function OwnAgents({ onChoose }: OwnAgentsProps) {
  return (
    <ul aria-label="Your agents" className={classes.list}>
      {useOwnAgents().map((own) => (
        <OwnAgentItem key={own.id} own={own} onChoose={onChoose} />
      ))}
    </ul>
  );
}

function OwnAgentItem({ own, onChoose }: OwnAgentsProps & { own: OwnAgent }) {
  const { id } = own;
  const { name, category, state } = useOwnState(own);
  const remove = () => {
    removeEntryDraft(id);
    forgetKey(id);
  };
  return (
    <li className={classes.item}>
      <AgentMark agent={{ id, name, category }} size={32} />
      <div className={classes.text}>
        <Link to={toAgentPath(id)} dir="auto" className={classes.name} onClick={onChoose}>
          {name}
        </Link>
        <span className={classes.state}>{state}</span>
      </div>
      {state === 'withdrawn' ? (
        <Button variant="default" size="xs" aria-label={`Remove ${name}`} onClick={remove}>
          Remove
        </Button>
      ) : (
        <Button
          component={Link}
          to={toManagePath(id, 'edit')}
          variant="default"
          size="xs"
          aria-label={`Edit ${name}`}
          onClick={onChoose}
        >
          Edit
        </Button>
      )}
    </li>
  );
}

/** Asks the registry for the state of an own agent; meanwhile, and if it does not answer, the state is as last seen here. */
function useOwnState(own: OwnAgent) {
  const { client } = useApi();
  const { id, key, isHeld = false, isWithdrawn = false } = own;
  const { data } = useQuery({
    queryKey: ['own', id, key],
    queryFn: async ({ signal }) => {
      let state = 'listed';
      const onStatus = (status: number) => void (state = status === HELD_STATUS ? 'waits for review' : state);
      const context: AgentContext = { key, onStatus };
      const found = await client.agents.get.query({ id }, { context, signal }).catch((error: unknown) => {
        const status = readStatus(error) ?? 0;
        if (status !== 404 && status !== 410) throw error;
        state = status === 410 ? 'withdrawn' : 'not listed';
      });
      return { state, name: found?.name, category: found?.category };
    },
    enabled: !isWithdrawn,
    staleTime: 0,
  });
  const lastSeen = isWithdrawn ? 'withdrawn' : isHeld ? 'waits for review' : 'listed';
  return {
    name: data?.name ?? own.name,
    category: data?.category ?? own.category ?? '',
    state: isWithdrawn ? lastSeen : (data?.state ?? lastSeen),
  };
}
