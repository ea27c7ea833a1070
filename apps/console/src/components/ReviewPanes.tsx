import { applyPatch, type Agent, type AgentPatch, type ListedAgent, type Report } from '@agent-registry/contracts';
import { AgentCard } from '@agent-registry/web/src/components/AgentCard.tsx';
import { useCategory, useWebsiteName } from '@agent-registry/web/src/lib/site.ts';
import { Anchor, Checkbox, Group, Kbd, Switch, Text, Title, UnstyledButton } from '@mantine/core';
import { useHotkeys, useLocalStorage, type HotkeyItem } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { toPlainText } from '../labels.ts';
import { useVerbs, type Asked, type Verb, VerbButtons } from '../VerbsProvider.tsx';
import { AgentFields } from './AgentFields.tsx';
import { ReadTexts } from './ReadTexts.tsx';
import { ReportList } from './ReportList.tsx';
import { StrangersText } from './StrangersText.tsx';

export type ReviewItem = {
  agent: Agent;
  patch?: AgentPatch;
  /** Texts that a check read of its connections. */
  texts?: readonly string[];
  /** Stands for the version that the operator reads. */
  seen?: string;
  /** What it is about, in its row and above its text. */
  summary: string;
  reports?: readonly Report[];
  verbs: readonly Verb[];
};

type ReviewPanesProps = {
  label: string;
  items: readonly ReviewItem[];
  /** Whether several can be chosen: all of them have the same verbs. */
  canChoose?: boolean;
};

/** Of an entry, an edit and texts of its connections may wait. */
const keyOf = ({ agent, texts }: ReviewItem) => (texts ? `${agent.id} texts` : agent.id);

/** A list of entries and the one that the operator reads, in panes that scroll each for itself. Keys act on what is read. */
export function ReviewPanes({ label, items, canChoose = false }: ReviewPanesProps) {
  const open = (at: number) => {
    const ids = items.map(keyOf);
    return { id: ids[at], after: new Set(ids.slice(at + 1)) };
  };
  const [read, setRead] = useState(() => open(0));
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());

  // One that was decided on leaves the list: the next one of those after it is read.
  const current = (items.find((item) => keyOf(item) === read.id) ??
    items.find((item) => read.after.has(keyOf(item))) ??
    items.at(-1)) as ReviewItem;
  const index = items.indexOf(current);
  const picked = items.filter((item) => checked.has(keyOf(item)));
  const chosen = picked.length > 0 ? picked : [current];
  const asked = {
    targets: chosen.map(({ agent: { id }, seen }) => ({ id, seen })),
    names: chosen.map(({ agent }) => agent.name),
  };
  const toggle = (id: string) =>
    setChecked((ids) => new Set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]));
  const { begin } = useVerbs();

  return (
    <>
      <Keys
        moves={[
          ['j', 'next', () => setRead(open(Math.min(index + 1, items.length - 1)))],
          ['k', 'previous', () => setRead(open(Math.max(index - 1, 0)))],
        ]}
        acts={[
          ...(canChoose ? [['x', 'choose', () => toggle(keyOf(current))] as const] : []),
          ...(canChoose ? [['Escape', 'choose none', () => setChecked(new Set())] as const] : []),
        ]}
        verbs={current.verbs.flatMap((verb) =>
          verb.key ? [[verb.key, verb.label, () => begin({ verb, ...asked })] as const] : [],
        )}
        current={current.agent.id}
      />
      <div className="panes">
        <section aria-label={label} className="pane">
          {canChoose && (
            <Checkbox
              label="All shown"
              py="xs"
              px="sm"
              checked={picked.length === items.length}
              indeterminate={picked.length > 0 && picked.length < items.length}
              onChange={() => setChecked(new Set(picked.length === items.length ? [] : items.map(keyOf)))}
            />
          )}
          <ul className="rows">
            {items.map((item, at) => (
              <Row
                key={keyOf(item)}
                item={item}
                isCurrent={at === index}
                onOpen={() => setRead(open(at))}
                {...(canChoose && {
                  isChecked: checked.has(keyOf(item)),
                  onToggle: () => toggle(keyOf(item)),
                })}
              />
            ))}
          </ul>
        </section>
        {/* A new element for each entry: it is read from its beginning. */}
        <Reading key={keyOf(current)} item={current} asked={asked} chosenCount={picked.length} />
      </div>
    </>
  );
}

type ReadingProps = {
  item: ReviewItem;
  asked: Pick<Asked, 'targets' | 'names'>;
  chosenCount: number;
};

function Reading({ item: { agent, patch, texts, summary, reports, verbs }, asked, chosenCount }: ReadingProps) {
  const [areKeysOn] = useKeysSwitch();
  return (
    <section aria-labelledby="current" className="pane reading">
      <div className="text-of-entry">
        <Title order={2} size="h3" id="current">
          <StrangersText text={agent.name} />
        </Title>
        <Text c="dimmed" size="sm">
          {summary}{' '}
          <Anchor component={Link} to={`/agents/${agent.id}`} underline="always">
            All about this entry
          </Anchor>
        </Text>
        <PublicCard agent={patch ? { ...agent, ...applyPatch(agent, patch) } : agent} />
        {texts && <ReadTexts texts={texts} />}
        {reports && <ReportList reports={reports} />}
        <AgentFields agent={agent} {...(patch && { patch })} />
      </div>
      <div className="foot">
        <VerbButtons
          verbs={verbs}
          {...asked}
          subject={chosenCount > 0 ? ` ${chosenCount} chosen` : ''}
          hasKeys={areKeysOn}
        />
      </div>
    </section>
  );
}

/** The entry as visitors see it in lists; its texts are below it once more, so it is for sighted operators only. */
function PublicCard({ agent }: { agent: ListedAgent }) {
  return (
    <ul inert className="cards public">
      <li>
        <AgentCard agent={agent} canKeep={false} />
      </li>
    </ul>
  );
}

/** Whether keys act; those who dictate turn them off. */
const useKeysSwitch = () => useLocalStorage({ key: 'console-keys', defaultValue: true });

type Key = readonly [key: string, label: string, press: () => void];

type KeysProps = {
  /** Keys that may be held. */
  moves: readonly Key[];
  acts: readonly Key[];
  /** Those of the verbs, which stand on their buttons. */
  verbs: readonly Key[];
  current: string;
};

function Keys({ moves, acts, verbs, current }: KeysProps) {
  const { act, undo, isAsking } = useVerbs();
  const navigate = useNavigate();
  const [areOn, setOn] = useKeysSwitch();
  const once: readonly Key[] = [
    ...acts,
    ['u', 'undo', () => undo && void act(undo)],
    ['o', 'open', () => void navigate(`/agents/${current}`)],
  ];
  const bind = (keys: readonly Key[], mayRepeat: boolean) =>
    keys.map(([key, , press]): HotkeyItem => [
      key,
      (event) => {
        if (!event.isComposing && (mayRepeat || !event.repeat)) press();
      },
    ]);
  useHotkeys(
    areOn && !isAsking ? [...bind(moves, true), ...bind([...once, ...verbs], false)] : [],
    // Checkboxes are inputs, too. The field of the header keeps its keys to itself.
    ['TEXTAREA', 'SELECT'],
  );
  return (
    <Group mb="xs" gap="sm">
      <Switch label="Keys" checked={areOn} onChange={(event) => setOn(event.currentTarget.checked)} py={10} />
      {areOn &&
        [...moves, ...once].map(([key, label]) => (
          <Text key={key} size="sm">
            <Kbd>{key === 'Escape' ? 'Esc' : key}</Kbd> {label}
          </Text>
        ))}
    </Group>
  );
}

type RowProps = {
  item: ReviewItem;
  isCurrent: boolean;
  onOpen: () => void;
  isChecked?: boolean;
  onToggle?: () => void;
};

function Row({ item: { agent, summary }, isCurrent, onOpen, isChecked, onToggle }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  const category = useCategory(agent.category);
  const site = useWebsiteName(agent.website);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <li ref={row} className="row" data-current={isCurrent || undefined}>
      {onToggle && (
        <Checkbox aria-label={`Choose ${toPlainText(agent.name)}`} checked={isChecked} onChange={onToggle} size="md" />
      )}
      <UnstyledButton onClick={onOpen} aria-current={isCurrent}>
        <Text fw={550}>
          <StrangersText text={agent.name} />
        </Text>
        <Text size="sm">
          {category.name}
          {site && ` · ${site.name}`}
        </Text>
        <Text size="xs" c="dimmed">
          {summary}
        </Text>
      </UnstyledButton>
    </li>
  );
}
