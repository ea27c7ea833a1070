import { toAgentPath, toManagePath } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import type { MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import { readStatus } from '../../api/trpc.ts';
import { AgentMark } from '../../components/AgentMark.tsx';
import { focusContainer } from '../../components/focus-container.ts';
import { forgetKey, useOwnAgents, type OwnAgent } from '../../components/owner-keys.ts';
import { removeLastValues } from '../../components/agent-form/form-values.ts';
import classes from './OwnAgents.module.css';
import { useOwnVersion, type OwnVersion } from './use-own-version.ts';

export function OwnAgents({ onChoose }: { onChoose: () => void }) {
  return (
    <ul aria-label="Your agents" tabIndex={-1} className={classes.list}>
      {useOwnAgents().map((own) => (
        <OwnAgentItem key={own.id} own={own} onChoose={onChoose} />
      ))}
    </ul>
  );
}

function OwnAgentItem({ own, onChoose }: { own: OwnAgent; onChoose: () => void }) {
  const { id } = own;
  const { data: version, error } = useOwnVersion(own);
  const { name, category = '' } = version?.agent ?? own;
  const state = describeState(own, version, error);
  const remove = (event: MouseEvent<HTMLElement>) => {
    focusContainer(event);
    removeLastValues(id);
    forgetKey(id);
  };
  return (
    <li>
      <AgentMark agent={{ id, name, category }} size="sm" />
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

/** The state of an own agent; until the registry answers, and if it does not, the state is as last seen here. */
function describeState(own: OwnAgent, version: OwnVersion | undefined, error: Error | null): string {
  const status = readStatus(error);
  if (status === 410 || own.isWithdrawn) return 'withdrawn';
  if (status === 404) return 'not listed';
  if (version?.refusal !== undefined) return 'refused';
  return (version ?? own).isHeld ? 'waits for review' : 'listed';
}
