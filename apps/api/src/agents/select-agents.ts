import type { Kysely, Selectable } from 'kysely';
import type { Tables, UnlistedState } from '../db/tables.ts';
import { chunksOf, walk, type AgentTable } from '../db/walk.ts';
import { toStored } from './agent-rows.ts';
import { createMatcher, type AgentSelection } from './agent-selection.ts';
import type { StoredAgent } from './registry.ts';
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
