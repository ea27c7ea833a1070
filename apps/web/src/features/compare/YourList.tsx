import {
  describeDay,
  describeFieldChange,
  KEPT_PATH,
  MAX_COMPARED,
  MAX_SHARED,
  publicHistoryFields,
  toComparePath,
  toSharedPath,
  countOf,
} from '@agent-registry/contracts';
import { Button, Group, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { AgentCard } from '../../components/AgentCard.tsx';
import { AsyncState } from '../../components/AsyncState.tsx';
import { CopyLink } from '../../components/CopyLink.tsx';
import { Arrow } from '../../lib/Arrow.tsx';
import { useSiteConfig } from '../../lib/site.ts';
import { useToast } from '../../lib/toast-context.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { BackToList } from '../../navigation/BackToList.tsx';
import {
  chooseCompared,
  keepAgents,
  toKept,
  useComparedAgents,
  useKeptAgents,
  type KeptAgent,
} from '../../components/kept-agents.ts';
import { AllowList } from './AllowList.tsx';
import classes from './KeptLists.module.css';
import { useKeptVersions, type KeptVersion } from './use-chosen-agents.ts';

export function YourList() {
  const kept = useKeptAgents();
  const compared = useComparedAgents();
  const isHydrated = useHydrated();
  const region = useRef<HTMLDivElement>(null);
  const [message, setMessage] = useState('');
  const remove = (gone: readonly KeptAgent[]) => {
    region.current?.focus({ preventScroll: true });
    const isDone = keepAgents(kept.filter((agent) => !gone.includes(agent)));
    setMessage(isDone ? `${countOf(gone.length, 'agent')} removed.` : 'Your browser does not keep your choice.');
  };
  const removeAll = () => {
    if (window.confirm(`Remove ${countOf(kept.length, 'agent')} from your list?`)) remove(kept);
  };
  return (
    <div ref={region} role="region" aria-labelledby="list-title" tabIndex={-1}>
      <div className={classes.head}>
        <BackToList className={classes.back} />
        <Title order={3} id="list-title">
          Your list{isHydrated && `: ${countOf(kept.length, 'agent')}`}
        </Title>
        <div className={`needs-scripts ${classes.actions}`}>
          {compared.length > 1 && (
            <Button component={Link} to={toComparePath(compared.map(({ id }) => id))} rightSection={<Arrow />}>
              Compare {compared.length}
            </Button>
          )}
          {kept.length > 0 && <CopyLink path={toSharedPath(kept.map(({ id }) => id))} />}
          {kept.length > 0 && (
            <Button variant="default" onClick={removeAll}>
              Remove all
            </Button>
          )}
        </div>
      </div>
      <p className={`without-scripts ${classes.note}`}>Your browser keeps this list, and shows it with scripts only.</p>
      <p className={`needs-scripts ${classes.note}`}>
        <span role="status">{message}</span>
        {isHydrated && kept.length === 0 && ' The bookmark on an agent keeps it here, in this browser only.'}
        {kept.length > MAX_SHARED && ` The link has the first ${MAX_SHARED}.`}
      </p>
      {kept.length > 0 && <AllowList ids={kept.map(({ id }) => id)} />}
      <KeptCards kept={kept} compared={compared} onRemove={(agent) => remove([agent])} />
    </div>
  );
}

type KeptCardsProps = {
  kept: readonly KeptAgent[];
  compared: readonly KeptAgent[];
  onRemove: (agent: KeptAgent) => void;
};

function KeptCards({ kept, compared, onRemove }: KeptCardsProps) {
  const [shown, setShown] = useState(MAX_SHARED);
  const agents = kept.slice(0, shown);
  const { versions, error, retry } = useKeptVersions(agents.map(({ id }) => id));
  return (
    <>
      {error !== null && <AsyncState error={error} errorMessage="Some agents could not be loaded." retry={retry} />}
      <ul className="cards">
        {agents.map((agent, index) => (
          <li key={agent.id}>
            <KeptItem agent={agent} version={versions[index]} compared={compared} onRemove={onRemove} />
          </li>
        ))}
      </ul>
      {kept.length > shown && (
        <Group justify="center" mt="sm">
          <Button variant="default" onClick={() => setShown(shown + MAX_SHARED)}>
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}

type KeptItemProps = Omit<KeptCardsProps, 'kept'> & { agent: KeptAgent; version: KeptVersion | undefined };

function KeptItem({ agent, version, compared, onRemove }: KeptItemProps) {
  const { categories } = useSiteConfig();
  const showToast = useToast();
  const others = compared.filter(({ id }) => id !== agent.id);
  const isCompared = others.length < compared.length;
  const toggle = () => {
    if (isCompared) chooseCompared(others);
    else if (others.length < MAX_COMPARED) chooseCompared([...others, agent]);
    else showToast({ title: 'Four at most', message: 'Choose another one less to compare this one.' });
  };
  const controls = (
    <div className={classes.controls}>
      {typeof version === 'object' && (
        <label>
          <input type="checkbox" checked={isCompared} onChange={toggle} aria-label={`Compare ${agent.name}`} /> Compare
        </label>
      )}
      <button type="button" className="pill" aria-label={`Remove ${agent.name}`} onClick={() => onRemove(agent)}>
        Remove
      </button>
    </div>
  );
  if (typeof version !== 'object') {
    return (
      <div className={classes.gone} aria-busy={version === undefined}>
        <p>
          <bdi>{agent.name}</bdi>
          {version === 'withdrawn' && ' was withdrawn.'}
          {version === 'unknown' && ' is not listed.'}
        </p>
        {controls}
      </div>
    );
  }
  const now = toKept(version);
  const changes = publicHistoryFields.flatMap((field) => {
    const [from, to] = [agent[field], now[field]];
    return from === undefined || from === to ? [] : [describeFieldChange({ field, from, to }, categories)];
  });
  return (
    <AgentCard agent={version} backTo={{ path: KEPT_PATH, label: 'Back to your list' }} canKeep={false}>
      <div>
        {changes.length > 0 && (
          <p className={classes.changes} dir="auto">
            Changed since {agent.day ? describeDay(agent.day, 'medium') : 'it was kept'}: {changes.join(', ')}
          </p>
        )}
        {controls}
      </div>
    </AgentCard>
  );
}
