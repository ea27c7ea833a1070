import {
  changedAt,
  factFields,
  factOf,
  fields,
  fold,
  labelsOfWays,
  sentenceFields,
  titleOf,
  WORD_PATTERN,
  type Agent,
  describeDay,
} from '@agent-registry/contracts';
import type { ReactNode } from 'react';
import { CategoryLine } from '../../components/CategoryIcon.tsx';
import { FactText, Sentences } from '../../components/FactText.tsx';
import { ProvedTick } from '../../components/ProvedTick.tsx';
import { Rating } from '../../components/Rating.tsx';
import { useWebsiteName } from '../../lib/site.ts';
import classes from './Comparison.module.css';

export type Row = { label: string; cells: ReactNode[]; isSame: boolean };

const NONE = 'None listed.';

export function compareAgents(agents: readonly Agent[]): Row[] {
  const shared = findShared(agents);
  const row = (
    label: string,
    toText: (agent: Agent) => string,
    toCell: (agent: Agent) => ReactNode = toText,
    toKey: (agent: Agent) => string = toText,
  ): Row => ({
    label,
    cells: agents.map((agent) => (toText(agent) === NONE ? NONE : toCell(agent))),
    isSame: agents.length > 1 && new Set(agents.map(toKey)).size === 1,
  });
  return [
    row(
      fields.description.label,
      ({ description }) => description,
      ({ description }) => (
        <p dir="auto" className={classes.description}>
          {description}
        </p>
      ),
    ),
    row('Connect', (agent) => labelsOfWays(agent).join(', ') || NONE),
    row(
      'Category',
      ({ category }) => category,
      ({ category }) => <CategoryLine category={category} />,
    ),
    ...factFields.map((name) =>
      row(
        titleOf(name),
        (agent) => factOf(agent, name) ?? NONE,
        (agent) => <FactText agent={agent} name={name} />,
      ),
    ),
    row(
      'Rating',
      ({ rating, reviewCount }) => `${rating.toFixed(1)} (${reviewCount} reviews)`,
      ({ rating, reviewCount }) => <Rating rating={rating} reviewCount={reviewCount} />,
    ),
    row('Added', ({ createdAt }) => describeDay(createdAt)),
    row('Updated', (agent) => (agent.updatedAt === undefined ? 'Never' : describeDay(changedAt(agent), 'medium'))),
    row(
      'Website',
      ({ website }) => website ?? NONE,
      (agent) => <Website agent={agent} />,
    ),
    row(
      'Capabilities',
      ({ capabilities }) => capabilities.join(', ') || NONE,
      ({ capabilities }) => <Capabilities capabilities={capabilities} shared={shared} />,
      ({ capabilities }) => [...new Set(capabilities.map(toCapabilityKey))].toSorted().join(),
    ),
    ...sentenceFields.map((name) =>
      row(
        fields[name].title,
        (agent) => agent[name]?.join(' ') ?? NONE,
        (agent) => <Sentences texts={agent[name] ?? []} className={classes.tasks} />,
      ),
    ),
  ];
}

/** The keys of the capabilities that at least two of the agents have. */
function findShared(agents: readonly Agent[]): ReadonlySet<string> {
  const keys = agents.flatMap(({ capabilities }) => [...new Set(capabilities.map(toCapabilityKey))]);
  return new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
}

/** A capability in any spelling: its folded letters and digits. */
function toCapabilityKey(capability: string): string {
  return fold(capability).match(new RegExp(WORD_PATTERN, 'gu'))?.join('') ?? capability;
}

function Website({ agent }: { agent: Agent }) {
  const { website } = agent;
  const site = useWebsiteName(website);
  if (!website || !site) return website;
  return (
    <span className={classes.website}>
      {/^https?:\/\//i.test(website) ? (
        <a href={website} target="_blank" rel="ugc nofollow noopener noreferrer">
          {site.name}
        </a>
      ) : (
        site.name
      )}
      <ProvedTick agent={agent} />
    </span>
  );
}

function Capabilities({ capabilities, shared }: Pick<Agent, 'capabilities'> & { shared: ReadonlySet<string> }) {
  return (
    <ul className={classes.capabilities}>
      {capabilities.map((capability, index) => {
        const isShared = shared.has(toCapabilityKey(capability));
        return (
          <li key={index} className={classes.capability} data-shared={isShared || undefined}>
            <bdi>{capability}</bdi>
            {isShared && <span className="visually-hidden"> (shared)</span>}
          </li>
        );
      })}
    </ul>
  );
}
