import { setImmediate } from 'node:timers/promises';
import type { Agent } from '@agent-registry/contracts';
import { sql } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { AgentRow } from '../db/tables.ts';
import { takeWithin } from '../db/take-within.ts';
import { toAgent } from '../db/records.ts';

/** The largest piece of a whole list that is in memory at once, in bytes of JSON. */
const PIECE_SIZE = 2 ** 20;
/** Agents whose sizes are read with one statement. */
export const BATCH_SIZE = 200;
/** Agents per chunk of a stream, few enough that other requests do not wait long. */
export const CHUNK_SIZE = 50;

/** More bytes than the names of the fields and the short fields take. */
const SHORT_FIELDS_SIZE = 1_000;

/** The most bytes that an agent takes as JSON, from the lengths of its columns. An escape takes two bytes, and lists are stored as JSON. */
export const agentSize = sql<number>`(
  ${sql.lit(SHORT_FIELDS_SIZE)} + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0))
  + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0)
)`;

/** The key of a row, and the most bytes that its agent takes as JSON. */
export type SizedKey = Pick<AgentRow, 'seq' | 'id'> & { size: number };

/** Creates the functions that read agents within bounds of memory: first their sizes, then as many rows as fit. */
export function createAgentReader({ db }: Pick<Engine, 'db'>) {
  return { findKeys, readAgents, streamKeys, streamRows };

  /** Streams the agents of rows in an order, without those that are gone. */
  async function* streamRows(seqs: readonly number[]): AsyncGenerator<Agent[], void, undefined> {
    for (let begin = 0; begin < seqs.length; begin += BATCH_SIZE) {
      yield* streamKeys(await findKeys('seq', seqs.slice(begin, begin + BATCH_SIZE)));
    }
  }

  /** Streams agents by their keys, in the same order, without those that are gone. */
  async function* streamKeys(keys: readonly SizedKey[]): AsyncGenerator<Agent[], void, undefined> {
    for (let rest = keys; rest.length > 0;) {
      const piece = takeWithin(rest.slice(0, CHUNK_SIZE), PIECE_SIZE);
      rest = rest.slice(piece.length);
      const agents = await readAgents(piece);
      if (agents.length > 0) yield agents;
      // SQLite reads are synchronous: without this pause the stream would block the event loop.
      await setImmediate();
    }
  }

  /** Finds the keys of rows in an order, without those that are gone. */
  async function findKeys(column: 'seq' | 'id', values: readonly (number | string)[]): Promise<SizedKey[]> {
    if (values.length === 0) return [];
    const keys = await db
      .selectFrom('agents')
      .select(['seq', 'id', agentSize.as('size')])
      .where(column, 'in', values as string[])
      .execute();
    const byValue = new Map<number | string, SizedKey>(keys.map((key) => [key[column], key]));
    return values.flatMap((value) => byValue.get(value) ?? []);
  }

  /** Reads agents by their keys, in the same order, without those that are gone. */
  async function readAgents(keys: readonly SizedKey[]): Promise<Agent[]> {
    if (keys.length === 0) return [];
    const seqs = keys.map(({ seq }) => seq);
    const rows = await db.selectFrom('agents').selectAll().where('seq', 'in', seqs).execute();
    const bySeq = new Map(rows.map((row) => [row.seq, row]));
    return seqs.flatMap((seq) => {
      const row = bySeq.get(seq);
      return row ? [toAgent(row)] : [];
    });
  }
}
