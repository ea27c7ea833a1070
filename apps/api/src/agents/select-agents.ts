import type { Kysely, Selectable } from 'kysely';
import { agentStates, fold, hostOf, type Agent, type AgentState } from '@agent-registry/contracts';
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
