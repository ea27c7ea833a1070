import type { Kysely, Selectable } from 'kysely';
import type { Acting } from '../actions/operator-action.ts';
import { recordAction } from '../actions/record-of-actions.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables, UnlistedState } from '../db/tables.ts';
import { findWaiting } from '../operator/find-waiting.ts';
import { assertSeen, type Seen } from '../operator/seen.ts';
import { addEvents } from '../webhook/operator-events.ts';
import { chunksOf, walk, type AgentTable } from '../db/walk.ts';
import { toStored, type StoredAgent } from './agent-rows.ts';
import { createMatcher, type AgentSelection } from './agent-selection.ts';
import type { BulkActor, NamedAgent } from '../operator/operator-store.ts';
import { toUnlisted, type UnlistedAgent } from './unlisted-agents.ts';

/** Streams the selected visible agents, in the order in which they were stored. */
export async function* selectVisible(
  db: Kysely<Tables>,
  selection: AgentSelection = {},
): AsyncGenerator<StoredAgent, void, undefined> {
  const matches = createMatcher(selection);
  for await (const row of readRows(db, 'agents', selection)) {
    const stored = toStored(row);
    if (matches(stored.agent)) yield stored;
  }
}

/** Streams the selected agents that are not listed, of some states or all, in the order in which they were stored. */
export async function* selectUnlisted(
  db: Kysely<Tables>,
  selection: AgentSelection = {},
  ...states: readonly UnlistedState[]
): AsyncGenerator<UnlistedAgent & { seq: number }, void, undefined> {
  const matches = createMatcher(selection);
  for await (const row of readRows(db, 'unlisted_agents', selection)) {
    if (row.seq === null || (states.length > 0 && !states.includes(row.state))) continue;
    const unlisted = toUnlisted(row);
    if (matches(unlisted.agent, unlisted.since)) yield { seq: row.seq, ...unlisted };
  }
}

/** Collects the row numbers of agents before the transaction during which others wait. */
export async function collectSeqs(sources: readonly AsyncIterable<StoredAgent>[]): Promise<number[]> {
  const seqs: number[] = [];
  for (const source of sources) for await (const { seq } of source) seqs.push(seq);
  return seqs;
}

/** A change of many agents. */
export type BulkChange = {
  engine: Engine;
  /** Who makes it, for the record of actions; undefined records nothing. */
  acting: Acting | undefined;
  /** Whether it erases the agents, so that their names are not recorded. */
  isErasure?: boolean;
  /** Whether an import makes it, which leaves the agents of owners alone; by default the operator does. */
  actor?: BulkActor;
  /** What was read of the agents, which must not have changed since. */
  seen?: Seen | undefined;
};

/**
 * Changes agents in chunks and records it, in one transaction during which other writers wait. Agents that begin to wait
 * for review are events: lists and edits are, by the change log. An agent that another
 * process has changed since it was collected is skipped; by an import, also one that is not listed, or has an owner.
 * @throws {RegistryError} when an agent is not as it was seen.
 */
export async function changeInBulk(
  { engine, acting, isErasure = false, actor = 'operator', seen }: BulkChange,
  seqs: readonly number[],
  change: (transaction: Kysely<Tables>, seqs: readonly number[]) => Promise<Pick<StoredAgent, 'agent'>[]>,
): Promise<NamedAgent[]> {
  const changed: NamedAgent[] = [];
  if (seqs.length === 0 && !seen) return changed;
  return engine.db.transaction().execute(async (transaction) => {
    await engine.lockWrites(transaction);
    if (seen) await assertSeen(transaction, seen);
    for (const chunk of chunksOf(seqs)) {
      const chosen = actor === 'import' ? await findUnclaimed(transaction, chunk) : chunk;
      if (chosen.length === 0) continue;
      const waiting = await findWaiting(transaction, chosen);
      const agents = await change(transaction, chosen);
      const held = [...(await findWaiting(transaction, chosen))].filter((id) => !waiting.has(id));
      await addEvents(transaction, 'agent.held', held);
      for (const { agent } of agents) changed.push({ id: agent.id, name: agent.name });
    }
    await recordAction(transaction, acting, isErasure ? changed.map(({ id }) => ({ id })) : changed);
    return changed;
  });
}

/** Finds the listed agents that nobody has claimed: without a management key and without a proof of the website. */
async function findUnclaimed(transaction: Kysely<Tables>, seqs: readonly number[]): Promise<number[]> {
  const rows = await transaction
    .selectFrom('agents')
    .select('seq')
    .where('seq', 'in', seqs)
    .where('key_hash', 'is', null)
    .where('website_checked_at', 'is', null)
    .execute();
  return rows.map(({ seq }) => seq);
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
