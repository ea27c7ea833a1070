import type { Agent } from '@agent-registry/contracts';
import type { Kysely, Selectable } from 'kysely';
import type { Engine } from '../db/engine.ts';
import { beginVersions } from '../db/registry-version.ts';
import type { AgentRow, HiddenAgentRow, Tables } from '../db/tables.ts';
import { toTokens } from '../search/agent-tokens.ts';
import { toAgent, writeAgentAgain, writeAgents, writeRows } from './agent-rows.ts';
import type { Addition, HiddenAgent, OperatorStore, RegistryRecord } from './operator-store.ts';

/** Rows per statement. */
const CHUNK_SIZE = 500;

/** Creates the operator store over a database. */
export function createKyselyOperatorStore(engine: Engine): OperatorStore {
  const { db } = engine;

  return {
    hide(id, reason) {
      return db.transaction().execute(async (transaction) => {
        const row = await transaction.deleteFrom('agents').where('id', '=', id).returningAll().executeTakeFirst();
        if (!row) return undefined;
        const agent = toAgent(row);
        await engine.tokens.remove(transaction, { seq: row.seq, tokens: toTokens(agent).tokens });
        const hidden = { agent, reason, hiddenAt: new Date().toISOString() };
        await writeHidden(transaction, row.seq, hidden);
        return hidden;
      });
    },

    show(id) {
      return db.transaction().execute(async (transaction) => {
        const row = await transaction
          .deleteFrom('hidden_agents')
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (!row) return undefined;
        const { agent } = toHidden(row);
        await writeAgentAgain(engine, transaction, { seq: row.seq, agent });
        return agent;
      });
    },

    async *streamHidden() {
      let last = 0;
      for (;;) {
        const rows = await readChunk(db, 'hidden_agents', last);
        for (const row of rows) yield toHidden(row);
        const end = rows.at(-1);
        if (!end) return;
        last = end.seq;
      }
    },

    async findHidden(id) {
      const row = await db.selectFrom('hidden_agents').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toHidden(row);
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
        await writeHidden(transaction, seq, record);
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
          .values({ key, agent: JSON.stringify(agent), created_at: createdAt })
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
  seq: number,
  { agent, reason, hiddenAt }: HiddenAgent,
): Promise<void> {
  await transaction
    .insertInto('hidden_agents')
    .values({ seq, id: agent.id, agent: JSON.stringify(agent), reason, hidden_at: hiddenAt })
    .execute();
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

function readChunk<Table extends 'agents' | 'hidden_agents'>(
  db: Kysely<Tables>,
  table: Table,
  last: number,
): Promise<Selectable<Tables[Table]>[]>;
function readChunk(db: Kysely<Tables>, table: 'agents' | 'hidden_agents', last: number): Promise<unknown[]> {
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
