import type { Agent } from '@agent-registry/contracts';
import type { Kysely, Selectable } from 'kysely';
import type { Engine } from '../db/engine.ts';
import { beginVersions } from '../db/registry-version.ts';
import type { AgentRow, HiddenAgentRow, Tables } from '../db/tables.ts';
import { toAgent, writeAgents, writeAgentsAgain, writeRows, type StoredAgent } from './agent-rows.ts';
import { createMatcher, type AgentSelection } from './agent-selection.ts';
import type { Addition, HiddenAgent, NamedAgent, OperatorStore, RegistryRecord } from './operator-store.ts';

/** Rows per statement. */
const CHUNK_SIZE = 500;

/** The tables that hold agents under their `seq`. */
type AgentTable = 'agents' | 'hidden_agents';

/** Creates the operator store over a database. */
export function createKyselyOperatorStore(engine: Engine): OperatorStore {
  const { db } = engine;

  return {
    async hide(selection, reason) {
      const selected = await collect([selectVisible(selection)]);
      const hiddenAt = new Date().toISOString();
      const agents = await inBulk(selected, async (transaction, seqs) => {
        const removed = await removeVisible(transaction, seqs);
        await writeHidden(transaction, removed, { reason, hiddenAt });
        return removed;
      });
      return { agents, hiddenAt };
    },

    async show(selection) {
      const selected = await collect([selectHidden(selection)]);
      return inBulk(selected, async (transaction, seqs) => {
        const removed = await removeHidden(transaction, seqs);
        await writeAgentsAgain(engine, transaction, removed);
        return removed;
      });
    },

    async erase(selection) {
      const selected = await collect([selectVisible(selection), selectHidden(selection)]);
      return inBulk(selected, async (transaction, seqs) => {
        const removed = [...(await removeVisible(transaction, seqs)), ...(await removeHidden(transaction, seqs))];
        const ids = removed.map(({ agent }) => agent.id);
        if (ids.length > 0) await transaction.deleteFrom('registration_keys').where('agent_id', 'in', ids).execute();
        return removed;
      });
    },

    async *streamVisible(selection) {
      for await (const { agent } of selectVisible(selection)) yield agent;
    },

    async *streamHidden(selection) {
      for await (const { seq: _, ...hidden } of selectHidden(selection)) yield hidden;
    },

    async countHidden() {
      const { hidden } = await db
        .selectFrom('hidden_agents')
        .select((select) => select.fn.countAll<number>().as('hidden'))
        .executeTakeFirstOrThrow();
      return hidden;
    },

    async *read() {
      const snapshot = await db
        .startTransaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute();
      try {
        yield* readAgents(snapshot);
        for (const { day, views } of await snapshot.selectFrom('daily_views').selectAll().orderBy('day').execute()) {
          yield { kind: 'views', day, views };
        }
        yield* readRegistrations(snapshot);
      } finally {
        await snapshot.rollback().execute();
      }
    },

    add(agents) {
      return db.transaction().execute((transaction) => addTo(transaction, agents));
    },

    async addTogether(use) {
      const transaction = await db.startTransaction().execute();
      try {
        await engine.lockWrites(transaction);
        if (await use((agents) => addTo(transaction, agents))) await transaction.commit().execute();
      } finally {
        if (!transaction.isCommitted) await transaction.rollback().execute();
      }
    },

    replace(records) {
      return db.transaction().execute(async (transaction) => {
        await engine.lockWrites(transaction);
        await engine.tokens.clear(transaction);
        for (const table of ['agents', 'hidden_agents', 'daily_views', 'registration_keys'] as const) {
          await transaction.deleteFrom(table).execute();
        }
        for await (const batch of inBatches(records)) await writeRecords(transaction, batch);
        await beginVersions(transaction);
      });
    },
  };

  async function* selectVisible(selection: AgentSelection = {}) {
    const matches = createMatcher(selection);
    for await (const row of readRows('agents', selection)) {
      const agent = toAgent(row);
      if (matches(agent)) yield { seq: row.seq, agent };
    }
  }

  async function* selectHidden(selection: AgentSelection = {}) {
    const matches = createMatcher(selection);
    for await (const row of readRows('hidden_agents', selection)) {
      const hidden = toHidden(row);
      if (matches(hidden.agent, hidden.hiddenAt)) yield { seq: row.seq, ...hidden };
    }
  }

  /** Reads rows by the ids of a selection, or all rows. */
  function readRows<Table extends AgentTable>(
    table: Table,
    selection: AgentSelection,
  ): AsyncGenerator<Selectable<Tables[Table]>, void, undefined>;
  async function* readRows(table: AgentTable, { ids }: AgentSelection): AsyncGenerator<unknown, void, undefined> {
    if (ids) {
      for (const chunk of chunksOf([...ids])) {
        yield* await db.selectFrom(table).selectAll().where('id', 'in', chunk).orderBy('seq').execute();
      }
      return;
    }
    for (let last: number | undefined = 0; last !== undefined;) {
      const rows: { seq: number }[] = await readChunk(db, table, last);
      yield* rows;
      last = rows.at(-1)?.seq;
    }
  }

  /** Collects the row numbers of agents before the transaction during which others wait. */
  async function collect(sources: readonly AsyncIterable<StoredAgent>[]): Promise<number[]> {
    const seqs: number[] = [];
    for (const source of sources) for await (const { seq } of source) seqs.push(seq);
    return seqs;
  }

  /**
   * Changes agents in chunks, in one transaction during which other writers wait. An agent that another process has changed
   * since it was collected is skipped.
   */
  async function inBulk(
    seqs: readonly number[],
    change: (transaction: Kysely<Tables>, seqs: readonly number[]) => Promise<StoredAgent[]>,
  ): Promise<NamedAgent[]> {
    const changed: NamedAgent[] = [];
    if (seqs.length === 0) return changed;
    return db.transaction().execute(async (transaction) => {
      await engine.lockWrites(transaction);
      for (const chunk of chunksOf(seqs)) {
        const agents = await change(transaction, chunk);
        for (const { agent } of agents) changed.push({ id: agent.id, name: agent.name });
      }
      return changed;
    });
  }

  /** Removes agents and their tokens. */
  async function removeVisible(transaction: Kysely<Tables>, seqs: readonly number[]): Promise<StoredAgent[]> {
    const rows = await transaction.deleteFrom('agents').where('seq', 'in', seqs).returningAll().execute();
    const removed = rows.map((row) => ({ seq: row.seq, agent: toAgent(row) }));
    await engine.tokens.remove(
      transaction,
      removed.map(({ seq }) => seq),
    );
    return removed;
  }

  async function addTo(transaction: Kysely<Tables>, agents: readonly Agent[]): Promise<Addition[]> {
    const ids = agents.map(({ id }) => id);
    const rows = await transaction.selectFrom('hidden_agents').select('id').where('id', 'in', ids).execute();
    const hidden = new Set(rows.map(({ id }) => id));
    const free = agents.filter(({ id }) => !hidden.has(id));
    const added = free.length === 0 ? new Set<string>() : await writeAgents(engine, transaction, free);
    // If two agents have one id, the first was added.
    return agents.map(({ id }) => (hidden.has(id) ? 'hidden' : added.delete(id) ? 'added' : 'taken'));
  }

  /** Writes records of one kind. */
  async function writeRecords(transaction: Kysely<Tables>, records: readonly RegistryRecord[]): Promise<void> {
    const agents = records.flatMap((record) => (record.kind === 'agent' ? record.agent : []));
    if (agents.length > 0) await writeAgents(engine, transaction, agents);
    for (const record of records) {
      if (record.kind === 'hidden') {
        // Its `seq` comes from `agents`, so it gets back its place when it is shown.
        const [row] = await writeRows(transaction, [record.agent]);
        const seq = (row as AgentRow).seq;
        await transaction.deleteFrom('agents').where('seq', '=', seq).execute();
        await writeHidden(transaction, [{ seq, agent: record.agent }], record);
      } else if (record.kind === 'views') {
        const { day, views } = record;
        await transaction
          .insertInto('daily_views')
          .values({ day, views })
          // A process may have counted views since the deletion.
          .onConflict((conflict) => conflict.column('day').doUpdateSet({ views }))
          .execute();
      } else if (record.kind === 'registration') {
        const { key, agent, createdAt } = record;
        await transaction
          .insertInto('registration_keys')
          .values({ key, agent_id: agent.id, agent: JSON.stringify(agent), created_at: createdAt })
          .execute();
      }
    }
  }
}

// Batches of records of one kind, in order.
async function* inBatches(records: AsyncIterable<RegistryRecord>): AsyncGenerator<RegistryRecord[], void, undefined> {
  let batch: RegistryRecord[] = [];
  for await (const record of records) {
    if (batch.length === CHUNK_SIZE || (batch[0] && batch[0].kind !== record.kind)) {
      yield batch;
      batch = [];
    }
    batch.push(record);
  }
  if (batch.length > 0) yield batch;
}

async function writeHidden(
  transaction: Kysely<Tables>,
  agents: readonly StoredAgent[],
  { reason, hiddenAt }: Pick<HiddenAgent, 'reason' | 'hiddenAt'>,
): Promise<void> {
  if (agents.length === 0) return;
  const rows = agents.map(({ seq, agent }) => ({
    seq,
    id: agent.id,
    agent: JSON.stringify(agent),
    reason,
    hidden_at: hiddenAt,
  }));
  await transaction.insertInto('hidden_agents').values(rows).execute();
}

async function removeHidden(transaction: Kysely<Tables>, seqs: readonly number[]): Promise<StoredAgent[]> {
  const rows = await transaction.deleteFrom('hidden_agents').where('seq', 'in', seqs).returningAll().execute();
  return rows.map((row) => ({ seq: row.seq, agent: toHidden(row).agent }));
}

function* chunksOf<Item>(items: readonly Item[]): Generator<Item[], void, undefined> {
  for (let begin = 0; begin < items.length; begin += CHUNK_SIZE) yield items.slice(begin, begin + CHUNK_SIZE);
}

// Merges agents and hidden agents by `seq`.
async function* readAgents(db: Kysely<Tables>): AsyncGenerator<RegistryRecord, void, undefined> {
  let last = 0;
  for (;;) {
    const visible = await readChunk(db, 'agents', last);
    const hidden = await readChunk(db, 'hidden_agents', last);
    const ends = [visible, hidden].flatMap((rows) => (rows.length === CHUNK_SIZE ? (rows.at(-1)?.seq ?? []) : []));
    const end = Math.min(...ends);
    const records = [
      ...visible.map((row) => ({ seq: row.seq, record: { kind: 'agent' as const, agent: toAgent(row) } })),
      ...hidden.map((row) => ({ seq: row.seq, record: { kind: 'hidden' as const, ...toHidden(row) } })),
    ];
    for (const { record } of records.filter(({ seq }) => seq <= end).toSorted((a, b) => a.seq - b.seq)) yield record;
    if (ends.length === 0) return;
    last = end;
  }
}

function readChunk<Table extends AgentTable>(
  db: Kysely<Tables>,
  table: Table,
  last: number,
): Promise<Selectable<Tables[Table]>[]>;
function readChunk(db: Kysely<Tables>, table: AgentTable, last: number): Promise<unknown[]> {
  return db.selectFrom(table).selectAll().where('seq', '>', last).orderBy('seq').limit(CHUNK_SIZE).execute();
}

async function* readRegistrations(db: Kysely<Tables>): AsyncGenerator<RegistryRecord, void, undefined> {
  let last = '';
  for (;;) {
    const rows = await db
      .selectFrom('registration_keys')
      .selectAll()
      .where('key', '>', last)
      .orderBy('key')
      .limit(CHUNK_SIZE)
      .execute();
    for (const { key, agent, created_at } of rows) {
      yield { kind: 'registration', key, agent: JSON.parse(agent) as Agent, createdAt: created_at };
    }
    const end = rows.at(-1);
    if (!end) return;
    last = end.key;
  }
}

function toHidden({ agent, reason, hidden_at }: HiddenAgentRow): HiddenAgent {
  return { agent: JSON.parse(agent) as Agent, reason, hiddenAt: hidden_at };
}
