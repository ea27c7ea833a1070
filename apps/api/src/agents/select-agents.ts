import type { Kysely, Selectable } from 'kysely';
import { agentStates, fold, hostOf, type Agent, type AgentState } from '@agent-registry/contracts';
import { z } from 'zod';
import type { Tables } from '../db/tables.ts';
import { chunksOf, walk, type AgentTable } from '../db/records.ts';
import { toStored, type StoredAgent } from './agent-rows.ts';
import { toUnlisted, type Unlisting } from './unlisted-agents.ts';

export type Conditions = Omit<AgentSelection, 'ids' | 'seen'>;

/** What the operator read of agents that wait for review: their fingerprints, by their ids. */
export type Seen = ReadonlyMap<string, string>;

/** Selects agents that meet all given conditions; without a condition, all agents. */
export type AgentSelection = {
  ids?: ReadonlySet<string> | undefined;
  /** Agents registered at this time or later: ISO 8601 in UTC, to the millisecond. */
  since?: string | undefined;
  /** Agents with this text in their name, description or capabilities; case, accents and width do not count. */
  text?: string | undefined;
  /** Agents whose website is on this host, as `hostOf` writes it, or a subdomain of it. */
  host?: string | undefined;
  /** Agents with this contact email, or with an address at a domain, such as `@example.com`. */
  email?: string | undefined;
  /** Agents that were hidden together, at this time. */
  hiddenAt?: string | undefined;
  /** What was read of agents that wait for review: if one of them has changed since, nothing is changed. */
  seen?: Seen | undefined;
};

/** A selected agent; if it is not listed, since when and why. */
export type SelectedAgent = StoredAgent & { state: AgentState } & Partial<Pick<Unlisting, 'since' | 'reason'>>;

/** Streams the selected agents of some states in the order in which they were stored: the listed ones, then the others. */
export async function* selectAgents(
  db: Kysely<Tables>,
  selection: AgentSelection = {},
  states: readonly AgentState[] = agentStates,
): AsyncGenerator<SelectedAgent, void, undefined> {
  const matches = createMatcher(selection);
  if (states.includes('listed')) {
    for await (const row of readRows(db, 'agents', selection)) {
      const stored = toStored(row);
      if (matches(stored.agent)) yield { state: 'listed', ...stored };
    }
  }
  if (states.every((state) => state === 'listed')) return;
  for await (const row of readRows(db, 'unlisted_agents', selection)) {
    if (row.seq === null || !states.includes(row.state)) continue;
    const unlisted = toUnlisted(row);
    if (matches(unlisted.agent, unlisted.since)) yield { seq: row.seq, ...unlisted };
  }
}

/** Collects the row numbers of agents before the transaction during which others wait. */
export async function collectSeqs(agents: AsyncIterable<StoredAgent>): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of agents) seqs.push(seq);
  return seqs;
}

/** Reads rows by the ids of a selection, or all rows. */
function readRows<Table extends AgentTable>(
  db: Kysely<Tables>,
  table: Table,
  selection: AgentSelection,
): AsyncGenerator<Selectable<Tables[Table]>, void, undefined>;
async function* readRows(
  db: Kysely<Tables>,
  table: AgentTable,
  { ids }: AgentSelection,
): AsyncGenerator<unknown, void, undefined> {
  if (ids) {
    for (const chunk of chunksOf([...ids])) {
      yield* await db.selectFrom(table).selectAll().where('id', 'in', chunk).orderBy('seq').execute();
    }
    return;
  }
  yield* walk(db.selectFrom(table).selectAll().where('seq', 'is not', null), ['seq']);
}

export function createMatcher({ ids, since, text, host, email, hiddenAt }: AgentSelection) {
  const searched = text && fold(text);
  const address = email?.toLowerCase();
  const matchesText = (agent: Agent) =>
    searched === undefined ||
    [agent.name, agent.description, ...agent.capabilities].some((field) => fold(field).includes(searched));
  const matchesHost = ({ website }: Agent) =>
    host === undefined || (website !== null && `.${hostOf(website) ?? ''}`.endsWith(`.${host}`));
  const matchesEmail = ({ contactEmail }: Agent) => {
    if (address === undefined) return true;
    const own = contactEmail.toLowerCase();
    return address.startsWith('@') ? own.endsWith(address) : own === address;
  };
  return (agent: Agent, agentHiddenAt?: string) =>
    (ids === undefined || ids.has(agent.id)) &&
    (since === undefined || agent.createdAt >= since) &&
    (hiddenAt === undefined || agentHiddenAt === hiddenAt) &&
    matchesEmail(agent) &&
    matchesHost(agent) &&
    matchesText(agent);
}

/** A condition that selects nothing that there can be, such as a day that no month has. */
export class ConditionError extends Error {
  readonly condition: keyof Conditions;

  /** @param fault what its value must be, such as `must not be blank` */
  constructor(condition: keyof Conditions, fault: string) {
    super(fault);
    this.condition = condition;
  }
}

/** A time, or a time span before now. */
function parseSince(text: string): string | undefined {
  const seconds = { m: 60, h: 3_600, d: 86_400 };
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count === undefined) return parseTime(text);
  return new Date(Date.now() - Number(count) * seconds[unit as keyof typeof seconds] * 1_000).toISOString();
}

function parseTime(text: string): string | undefined {
  const { success } = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  return success ? new Date(text).toISOString() : undefined;
}

const A_TIME = 'must be a time, such as 2026-11-21 or 2026-11-21T09:30:00Z';
/** What each condition must be, and its value as a selection has it; undefined if it is none. */
const parsers: Record<keyof Conditions, [fault: string, parse: (text: string) => string | undefined]> = {
  since: [`${A_TIME} or a time span such as 30m, 2h or 7d`, parseSince],
  text: ['must not be blank', (text) => text.trim() || undefined],
  host: [
    'must be the name of a host, such as example.com',
    (text) => (/^[^/?#@:\s]+$/.test(text) ? hostOf(`http://${text}`) : undefined),
  ],
  email: [
    'must be an address, such as owner@example.com, or a domain, such as @example.com',
    (text) => (/^[^@\s]*@[^@\s]+$/.test(text) ? text : undefined),
  ],
  hiddenAt: [A_TIME, parseTime],
};

/**
 * Parses the conditions that select agents.
 * @throws {ConditionError} for the first invalid value.
 */
export function parseConditions(conditions: Conditions): AgentSelection {
  const names = Object.keys(parsers) as (keyof Conditions)[];
  const parsed = names.map((name) => {
    const [fault, parse] = parsers[name];
    const text = conditions[name];
    const value = text === undefined ? undefined : parse(text);
    if (text !== undefined && value === undefined) throw new ConditionError(name, fault);
    return [name, value];
  });
  return Object.fromEntries(parsed) as AgentSelection;
}
