import { countOf, labelOfField } from '@agent-registry/contracts';
import { Anchor, Button, Checkbox, Group, Kbd, Paper, Switch, Text, Title, UnstyledButton } from '@mantine/core';
import { useHotkeys, useLocalStorage, type HotkeyItem } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useApi, type Outputs } from '../api.ts';
import { AgentFields } from '../components/AgentFields.tsx';
import { LoadState } from '../components/LoadState.tsx';
import { RelatedPanel } from '../components/RelatedPanel.tsx';
import { StrangersText } from '../components/StrangersText.tsx';
import { formatTime, toPlainText } from '../labels.ts';
import { useVerbs, type Verb } from '../VerbsProvider.tsx';

type Key = [key: string, label: string, press: () => void];
type Item = Outputs['queue']['list']['items'][number];

/** The new entries and the edits that wait for review, and the one that the operator reads. */
export function QueuePage() {
  const { queries } = useApi();
  const query = useQuery(queries.queue.list.queryOptions());
  const { items = [], total = 0, verbs = [] } = query.data ?? {};
  return (
    <>
      <Title order={1} mb="md">
        Queue
      </Title>
      <LoadState query={query} />
      {query.data && items.length === 0 && <Text>Nothing waits for review.</Text>}
      {items.length > 0 && (
        <>
          <Text mb="md">
            {countOf(total, 'entry waits', 'entries wait')} for review.
            {total > items.length && ` These are the ${items.length} that have waited longest.`}
          </Text>
          <Queue items={items} verbs={verbs} />
        </>
      )}
    </>
  );
}

function Queue({ items, verbs }: { items: readonly Item[]; verbs: readonly Verb[] }) {
  const { act, ask, undo, isAsking } = useVerbs();
  const navigate = useNavigate();
  // Those who dictate may turn the keys off.
  const [areKeysOn, setKeysOn] = useLocalStorage({ key: 'console-keys', defaultValue: true });
  const [place, setPlace] = useState(0);
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());

  const index = Math.min(place, items.length - 1);
  const current = items[index] as Item;
  const picked = items.filter(({ agent }) => checked.has(agent.id));
  const chosen = picked.length > 0 ? picked : [current];

  const toggle = (id: string) =>
    setChecked((ids) => new Set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]));
  const begin = (verb: Verb) => {
    const targets = chosen.map(({ agent: { id }, seen }) => ({ id, seen }));
    if (verb.needsReason) ask({ verb, targets, names: chosen.map(({ agent }) => agent.name) });
    else void act({ verb: verb.name, targets });
  };
  const keys: Key[] = [
    ['j', 'next', () => setPlace(Math.min(index + 1, items.length - 1))],
    ['k', 'previous', () => setPlace(Math.max(index - 1, 0))],
    ['x', 'choose', () => toggle(current.agent.id)],
    ...verbs.flatMap((verb): Key[] => (verb.key ? [[verb.key, verb.label.toLowerCase(), () => begin(verb)]] : [])),
    ['u', 'undo', () => undo && void act(undo)],
    ['o', 'open', () => void navigate(`/agents/${current.agent.id}`)],
  ];
  useHotkeys(
    areKeysOn && !isAsking ? keys.map(([key, , press]): HotkeyItem => [key, press]) : [],
    // Checkboxes are inputs, too, and the page has no others.
    ['TEXTAREA', 'SELECT'],
  );

  return (
    <>
      <Group mb="md" gap="md">
        <Switch label="Keys" checked={areKeysOn} onChange={(event) => setKeysOn(event.currentTarget.checked)} py={10} />
        {areKeysOn &&
          keys.map(([key, label]) => (
            <Text key={key} size="sm">
              <Kbd>{key}</Kbd> {label}
            </Text>
          ))}
      </Group>
      <div className="queue">
        <section aria-label="Waiting entries">
          <Checkbox
            label="All shown"
            py="xs"
            px="sm"
            checked={picked.length === items.length}
            indeterminate={picked.length > 0 && picked.length < items.length}
            onChange={() =>
              setChecked(new Set(picked.length === items.length ? [] : items.map(({ agent }) => agent.id)))
            }
          />
          <ul className="rows">
            {items.map((item, at) => (
              <QueueRow
                key={item.agent.id}
                item={item}
                isCurrent={at === index}
                isChecked={checked.has(item.agent.id)}
                onOpen={() => setPlace(at)}
                onToggle={() => toggle(item.agent.id)}
              />
            ))}
          </ul>
        </section>
        <QueueItem item={current} verbs={verbs} chosenCount={picked.length} onVerb={begin} />
      </div>
    </>
  );
}

type QueueRowProps = {
  item: Item;
  isCurrent: boolean;
  isChecked: boolean;
  onOpen: () => void;
  onToggle: () => void;
};

function QueueRow({ item: { agent, kind, patch, since, reports }, ...props }: QueueRowProps) {
  const { isCurrent, isChecked, onOpen, onToggle } = props;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const fields = Object.keys(patch).map(labelOfField).join(', ');
  return (
    <li ref={row} className="row" data-current={isCurrent || undefined}>
      <Checkbox aria-label={`Choose ${toPlainText(agent.name)}`} checked={isChecked} onChange={onToggle} size="md" />
      <UnstyledButton onClick={onOpen} aria-current={isCurrent}>
        <Text fw={550}>
          <StrangersText text={agent.name} />
        </Text>
        <Text size="sm" c="dimmed">
          {kind === 'new' ? 'New' : `Edit: ${fields}`}, {formatTime(since)}
          {reports > 0 && `, ${countOf(reports, 'report')}`}
        </Text>
      </UnstyledButton>
    </li>
  );
}

type QueueItemProps = {
  item: Item;
  verbs: readonly Verb[];
  /** How many entries are chosen; the decision is about these, if there are any. */
  chosenCount: number;
  onVerb: (verb: Verb) => void;
};

function QueueItem({ item, verbs, chosenCount, onVerb }: QueueItemProps) {
  const { isPending } = useVerbs();
  const { agent, kind, patch, since, reports } = item;
  const subject = chosenCount > 0 ? ` ${chosenCount} chosen` : '';
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="current">
      <Title order={2} id="current">
        <StrangersText text={agent.name} />
      </Title>
      <Text c="dimmed" mb="md">
        {kind === 'new' ? 'New entry' : 'Edit of a listed entry'}, waits since {formatTime(since)}.{' '}
        {countOf(reports, 'report')}.{' '}
        <Anchor component={Link} to={`/agents/${agent.id}`} underline="always">
          All about this entry
        </Anchor>
      </Text>
      <Group mb="md">
        {verbs.map((verb, index) => (
          <Button
            key={verb.name}
            variant={index === 0 ? 'filled' : 'default'}
            disabled={isPending}
            onClick={() => onVerb(verb)}
          >
            {verb.label + subject}
          </Button>
        ))}
      </Group>
      <AgentFields agent={agent} patch={patch} />
      <RelatedPanel id={agent.id} order={3} />
    </Paper>
  );
}
