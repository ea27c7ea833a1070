import { isDeepStrictEqual } from 'node:util';
import { setImmediate } from 'node:timers/promises';
import {
  changedAt,
  connectsOf,
  toSortName,
  type Agent,
  type ChangeActor,
  connectsOptions,
  type Connects,
} from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { compareAgents, logChange, readFirstListings } from '../changes/change-log.ts';
import { agentColumns, toAgent } from '../db/records.ts';
import type { AgentRow, Tables } from '../db/tables.ts';
import { toTokens, type AgentTokens } from '../search/agent-tokens.ts';
import { toWebsiteKey } from './text-keys.ts';
import { readToolWords } from './tool-words.ts';
import type { Engine } from '../db/engine.ts';

export type OwnedAgent = { agent: Agent; keyHash?: string | undefined };

/** An agent with its row number, and the words of its tools (`readToolWords`). */
export type StoredAgent = OwnedAgent & { seq: number; toolWords?: string };

/** What became of agents, or what people did to them. */
export type AgentEvent =
  /** `isRestored` for agents of a backup, which has their events. */
  | { type: 'listed' | 'removed'; agents: readonly StoredAgent[]; isRestored?: boolean }
  /** `before` if its texts may have changed. */
  | { type: 'updated'; agents: readonly StoredAgent[]; before?: Agent }
  | { type: 'held' | 'reported' | 'tools'; agents: readonly { agent: Pick<Agent, 'id'> }[] };

/** Writes what follows from an event, in the transaction of the event and after its rows. */
export type Listener = (transaction: Kysely<Tables>, event: AgentEvent) => Promise<void>;

/** A database, and the listeners of every write of an agent, in their order. */
export type Registry = Engine & { listeners: readonly Listener[] };

const TOKENISED_PER_TURN = 5;

export function toStored(row: AgentRow): StoredAgent {
  const { seq, tool_words: toolWords } = row;
  return { seq, agent: toAgent(row), toolWords, ...(row.key_hash !== null && { keyHash: row.key_hash }) };
}

type IndexedAgent = OwnedAgent & AgentTokens;

function tokenize<Owned extends OwnedAgent & { toolWords?: string }>(
  { categories }: Engine,
  owned: Owned,
): Owned & AgentTokens {
  return { ...owned, ...toTokens(owned.agent, categories, owned.toolWords) };
}

/** The columns of an agent, without those that its edits leave. */
function toRow({ agent, keyHash, terms }: IndexedAgent, listedAt = '') {
  const row: Record<string, unknown> = {
    sort_name: toSortName(agent.name),
    website_key: toWebsiteKey(agent.website),
    key_hash: keyHash ?? null,
    changed_at: listedAt > changedAt(agent) ? listedAt : changedAt(agent),
    connects: toSum(connectsOf(agent)),
    terms: terms.join(' '),
  };
  for (const { field, column, isList } of agentColumns) {
    const value = agent[field] ?? null;
    row[column] = isList && value !== null ? JSON.stringify(value) : value;
  }
  return row as Omit<AgentRow, 'seq' | 'listed_at' | 'is_proved' | 'tool_words'>;
}

type Listing = {
  /** Who lists them, for the change log; undefined where the log is written, too, as in a restore. */
  actor: ChangeActor | undefined;
  /** The time, where that is later than the last change of an agent. */
  listedAt?: string | undefined;
};

/**
 * Writes agents and their tokens in the given order, as part of a transaction. An agent whose id is taken is skipped.
 * Returns the ids of the written agents.
 */
export async function writeAgents(
  registry: Registry,
  transaction: Kysely<Tables>,
  agents: readonly OwnedAgent[],
  { actor, listedAt }: Listing,
): Promise<Set<string>> {
  // Tokenized first: on SQLite the first insert takes the write lock.
  const indexed: IndexedAgent[] = [];
  for (const owned of agents) {
    indexed.push(tokenize(registry, owned));
    // The longest agents take milliseconds each, so the event loop gets its turn between groups.
    if (indexed.length % TOKENISED_PER_TURN === 0) await setImmediate();
  }
  const at = listedAt ?? new Date().toISOString();
  const rows = await transaction
    .insertInto('agents')
    .values(indexed.map((agent) => ({ ...toRow(agent, listedAt), listed_at: at })))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(['id', 'seq'])
    .execute();
  const seqs = new Map(rows.map(({ id, seq }) => [id, seq]));
  const written = indexed.flatMap((found) => {
    const { id } = found.agent;
    const seq = seqs.get(id);
    return seq !== undefined && seqs.delete(id) ? [{ seq, ...found }] : [];
  });
  if (written.length > 0) await registry.tokens.add(transaction, written);
  // A registration makes its id; an import has those of its file.
  const isFirst = actor !== 'import';
  if (actor !== undefined) await logChange(transaction, { kind: 'listed', actor, at, isFirst }, rows);
  await tell(registry, transaction, { type: 'listed', agents: written, isRestored: actor === undefined });
  return new Set(rows.map(({ id }) => id));
}

/** Writes the changed fields and tokens of an agent in its place, as part of a transaction. */
export async function rewriteAgent(
  registry: Registry,
  transaction: Kysely<Tables>,
  stored: StoredAgent,
  { before, actor }: { before: Agent; actor: ChangeActor },
): Promise<void> {
  const { seq, agent } = stored;
  const fields = compareAgents(before, agent);
  const { changed_at: at, ...row } = toRow(tokenize(registry, stored));
  // Feeds, whose order this is, have no contact address.
  const isShown = !isDeepStrictEqual(Object.keys(fields), ['contactEmail']);
  const columns = isShown ? { ...row, changed_at: at } : row;
  await transaction.updateTable('agents').set(columns).where('seq', '=', seq).execute();
  await rewriteTokens(registry, transaction, stored);
  const change = { kind: 'updated', actor, at: agent.updatedAt } as const;
  await logChange(transaction, change, [{ id: agent.id, fields }]);
  await tell(registry, transaction, { type: 'updated', agents: [stored], before });
}

export async function rewriteTokens(registry: Registry, transaction: Kysely<Tables>, stored: StoredAgent) {
  await registry.tokens.remove(transaction, [stored.seq]);
  await registry.tokens.add(transaction, [tokenize(registry, stored)]);
}

/** Writes agents and their tokens under the row numbers that they had before. */
export async function writeAgentsAgain(
  registry: Registry,
  transaction: Kysely<Tables>,
  stored: readonly StoredAgent[],
  { actor, listedAt }: Listing & { actor: ChangeActor },
): Promise<void> {
  if (stored.length === 0) return;
  const agents = stored.map(({ agent }) => agent);
  const ids = agents.map(({ id }) => id);
  const words = await readToolWords(transaction, ids);
  const indexed = stored.map((each) => tokenize(registry, { ...each, toolWords: words.get(each.agent.id) ?? '' }));
  const firsts = await readFirstListings(transaction, ids);
  const toListedAt = ({ id, createdAt }: Agent) => firsts.get(id) ?? listedAt ?? createdAt;
  const rows = indexed.map((each) => ({
    seq: each.seq,
    ...toRow(each, listedAt),
    tool_words: each.toolWords,
    listed_at: toListedAt(each.agent),
  }));
  await transaction.insertInto('agents').values(rows).execute();
  await registry.tokens.add(transaction, indexed);
  await logChange(transaction, { kind: 'listed', actor, at: listedAt }, agents);
  await tell(registry, transaction, { type: 'listed', agents: stored });
}

/** Ways to connect as the sum of the powers of 2 by their places in `connectsOptions`, for the column `connects`. */
export function toSum(ways: readonly Connects[]): number {
  return connectsOptions.reduce((sum, { value }, index) => sum + (ways.includes(value) ? 2 ** index : 0), 0);
}

export function fromSum(sum: number): Connects[] {
  return connectsOptions.flatMap(({ value }, index) => (Math.floor(sum / 2 ** index) % 2 === 1 ? [value] : []));
}

export async function tell({ listeners }: Registry, transaction: Kysely<Tables>, event: AgentEvent): Promise<void> {
  if (event.agents.length === 0) return;
  for (const listener of listeners) await listener(transaction, event);
}
