import { needsReason, type ConsoleChange } from '@agent-registry/contracts';
import { Checkbox, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useApi, type Outputs } from '../api.ts';
import { useChanges } from '../ChangesProvider.tsx';
import { ChangeDialog } from '../components/ChangeDialog.tsx';
import { KeyList, useKeySwitch } from '../components/KeyList.tsx';
import { LoadState } from '../components/LoadState.tsx';
import { QueueItemDetails } from '../components/QueueItemDetails.tsx';
import { QueueRow } from '../components/QueueRow.tsx';
import { countOf } from '../labels.ts';

type Item = Outputs['queue']['list']['items'][number];

/** The new entries and the edits that wait for review, and the one that the operator reads. */
export function QueuePage() {
  const { queries } = useApi();
  const query = useQuery(queries.queue.list.queryOptions());
  const { items = [], total = 0 } = query.data ?? {};
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
          <Queue items={items} />
        </>
      )}
    </>
  );
}

function Queue({ items }: { items: readonly Item[] }) {
  const { change: make, undo } = useChanges();
  const navigate = useNavigate();
  const [areKeysOn, setKeysOn] = useKeySwitch();
  const [place, setPlace] = useState(0);
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<ConsoleChange>();

  const index = Math.min(place, items.length - 1);
  const current = items[index] as Item;
  const picked = items.filter(({ agent }) => checked.has(agent.id));
  const chosen = picked.length > 0 ? picked : [current];
  const targets = chosen.map(({ agent: { id }, seen }) => ({ id, seen }));

  const toggle = (id: string) =>
    setChecked((ids) => (ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : new Set([...ids, id])));
  const begin = (change: ConsoleChange) => (needsReason(change) ? setAsked(change) : void make(change, targets));
  const isAsking = asked !== undefined;
  useHotkeys(
    areKeysOn && !isAsking
      ? [
          ['j', () => setPlace(Math.min(index + 1, items.length - 1))],
          ['k', () => setPlace(Math.max(index - 1, 0))],
          ['x', () => toggle(current.agent.id)],
          ['r', () => begin('release')],
          ['f', () => begin('refuse')],
          ['h', () => begin('hide')],
          ['u', () => void undo()],
          ['o', () => void navigate(`/agents/${current.agent.id}`)],
        ]
      : [],
    // Checkboxes are inputs, too, and the page has no others.
    ['TEXTAREA', 'SELECT'],
  );

  return (
    <>
      <KeyList isOn={areKeysOn} onSwitch={setKeysOn} />
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
        <QueueItemDetails item={current} chosenCount={picked.length} onChange={begin} />
      </div>
      {asked && (
        <ChangeDialog
          change={asked}
          targets={targets}
          names={chosen.map(({ agent }) => agent.name)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
