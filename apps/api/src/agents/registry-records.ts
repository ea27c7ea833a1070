import type { Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { recordGlobalAction, streamActions, writeActions } from '../actions/record-of-actions.ts';
import type { Acting } from '../actions/operator-action.ts';
import { beginLog, streamChanges, writeChanges } from '../changes/backup-changes.ts';
import type { Engine } from '../db/engine.ts';
import { beginVersions } from '../db/registry-version.ts';
import { readFiguresRecords, writeFiguresRecords } from '../figures/daily-figures.ts';
import { unlistedStates, type Tables, type UnlistedState } from '../db/tables.ts';
import { streamProposals, writeProposal } from '../review/proposals.ts';
import { readCursor, readEvents, writeEvents } from '../webhook/operator-events.ts';
import { ROWS_PER_STATEMENT, readChunk } from '../db/agent-chunks.ts';
import { toStored, writeAgents } from './agent-rows.ts';
import type { RegistryRecord } from './operator-store.ts';
import { addReports, readReports, streamReportedIds } from './reports.ts';
import { readHostRecords, writeHosts } from '../liveness/kysely-host-store.ts';
import { streamViews, writeViews } from '../stats/agent-views.ts';
import { streamSourceRecords, writeSourceRecords } from '../sync/source-records.ts';
import { addUnlisted, toUnlisted } from './unlisted-agents.ts';

/** The tables whose rows `replaceRecords` replaces. */
const replacedTables = [
  'agents',
  'capability_counts',
  'agent_changes',
  'unlisted_agents',
  'operator_actions',
  'operator_events',
  'reports',
  'proposed_versions',
  'agent_views',
  'daily_views',
  'daily_figures',
  'registration_keys',
  'website_hosts',
  'sources',
  'agent_sources',
  'pinned_fields',
] as const;

/** Reads all records of a registry in one snapshot, agents in the order of their registration. */
export async function* readRecords(db: Kysely<Tables>): AsyncGenerator<RegistryRecord, void, undefined> {
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    yield* readAgents(snapshot);
    yield* readTombstones(snapshot);
    for await (const ids of streamReportedIds(snapshot, ROWS_PER_STATEMENT)) {
      for (const reports of await readReports(snapshot, ids)) yield { kind: 'reports', ...reports };
    }
    for await (const proposals of streamProposals(snapshot)) {
      yield* proposals.map((proposal) => ({ kind: 'proposal' as const, ...proposal }));
    }
    for await (const change of streamChanges(snapshot)) yield { kind: 'change', ...change };
    for await (const action of streamActions(snapshot)) yield { kind: 'action', ...action };
    yield* readWaitingEvents(snapshot);
    for (const figures of await readFiguresRecords(snapshot)) yield { kind: 'figures', ...figures };
    for (const { day, views } of await snapshot.selectFrom('daily_views').selectAll().orderBy('day').execute()) {
      yield { kind: 'views', day, views };
    }
    for await (const viewed of streamViews(snapshot)) yield { kind: 'agent-views', ...viewed };
    for (const host of await readHostRecords(snapshot)) yield { kind: 'website-host', ...host };
    yield* streamSourceRecords(snapshot);
    yield* readRegistrations(snapshot);
  } finally {
    await snapshot.rollback().execute();
  }
}

/** Replaces all records of a registry in one transaction. The record of actions is that of the records, and the restore. */
export function replaceRecords(
  { engine, acting }: { engine: Engine; acting: Acting | undefined },
  records: AsyncIterable<RegistryRecord>,
): Promise<void> {
  return engine.db.transaction().execute(async (transaction) => {
    await engine.lockWrites(transaction);
    await engine.tokens.clear(transaction);
    for (const table of replacedTables) {
      await transaction.deleteFrom(table).execute();
    }
    for await (const batch of inBatches(records)) await writeRecords(engine, transaction, batch);
    await recordGlobalAction(transaction, acting);
    await beginLog(transaction);
    await beginVersions(transaction);
  });
}

/** Writes records of one kind. */
async function writeRecords(
  engine: Engine,
  transaction: Kysely<Tables>,
  records: readonly RegistryRecord[],
): Promise<void> {
  const agents = records.flatMap((record) => (record.kind === 'agent' ? record : []));
  if (agents.length > 0) await writeAgents(engine, transaction, agents, { actor: undefined });
  await writeChanges(
    transaction,
    records.flatMap((record) => (record.kind === 'change' ? record : [])),
  );
  await writeActions(
    transaction,
    records.flatMap((record) => (record.kind === 'action' ? record : [])),
  );
  await writeEvents(
    transaction,
    records.flatMap((record) => (record.kind === 'event' ? record : [])),
  );
  await writeViews(
    transaction,
    records.flatMap((record) => (record.kind === 'agent-views' ? record : [])),
  );
  await writeFiguresRecords(
    transaction,
    records.flatMap((record) => (record.kind === 'figures' ? record : [])),
  );
  await writeHosts(
    transaction,
    records.flatMap((record) => (record.kind === 'website-host' ? record : [])),
  );
  await writeSourceRecords(transaction, records);
  for (const record of records) {
    if (isUnlisted(record)) {
      const { kind: state, reason, since, formerState, ...owned } = record;
      await addUnlisted(engine, transaction, [owned], { state, reason, since, formerState });
    } else if (record.kind === 'tombstone') {
      const { id, since } = record;
      await transaction.insertInto('unlisted_agents').values({ id, state: 'withdrawn', since, reason: '' }).execute();
    } else if (record.kind === 'reports') {
      await addReports(transaction, record);
    } else if (record.kind === 'proposal') {
      await writeProposal(transaction, record);
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

function isUnlisted(record: RegistryRecord): record is Extract<RegistryRecord, { kind: UnlistedState }> {
  return unlistedStates.some((state) => state === record.kind);
}

/** Splits records into batches of one kind, in order. */
async function* inBatches(records: AsyncIterable<RegistryRecord>): AsyncGenerator<RegistryRecord[], void, undefined> {
  let batch: RegistryRecord[] = [];
  for await (const record of records) {
    if (batch.length === ROWS_PER_STATEMENT || (batch[0] && batch[0].kind !== record.kind)) {
      yield batch;
      batch = [];
    }
    batch.push(record);
  }
  if (batch.length > 0) yield batch;
}

/** Merges listed and unlisted agents by `seq`. */
async function* readAgents(db: Kysely<Tables>): AsyncGenerator<RegistryRecord, void, undefined> {
  let last = 0;
  for (;;) {
    const visible = await readChunk(db, 'agents', last);
    const unlisted = await readChunk(db, 'unlisted_agents', last);
    const ends = [visible, unlisted].flatMap((rows) =>
      rows.length === ROWS_PER_STATEMENT ? (rows.at(-1)?.seq ?? []) : [],
    );
    const end = Math.min(...ends);
    const records = [
      ...visible.map(toStored).map(({ seq, ...owned }) => ({ seq, record: { kind: 'agent' as const, ...owned } })),
      ...unlisted.map((row) => {
        const { state: kind, ...rest } = toUnlisted(row);
        return { seq: row.seq as number, record: { kind, ...rest } };
      }),
    ];
    for (const { record } of records.filter(({ seq }) => seq <= end).toSorted((a, b) => a.seq - b.seq)) yield record;
    if (ends.length === 0) return;
    last = end;
  }
}

/** Reads the events that wait for their delivery. */
async function* readWaitingEvents(db: Kysely<Tables>): AsyncGenerator<RegistryRecord, void, undefined> {
  for (let after: number | undefined = await readCursor(db); after !== undefined;) {
    const events = await readEvents(db, { after, limit: ROWS_PER_STATEMENT });
    for (const event of events) yield { kind: 'event', ...event };
    after = events.at(-1)?.number;
  }
}

async function* readTombstones(db: Kysely<Tables>): AsyncGenerator<RegistryRecord, void, undefined> {
  let last = '';
  for (;;) {
    const rows = await db
      .selectFrom('unlisted_agents')
      .select(['id', 'since'])
      .where('agent', 'is', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(ROWS_PER_STATEMENT)
      .execute();
    for (const row of rows) yield { kind: 'tombstone', ...row };
    const end = rows.at(-1);
    if (!end) return;
    last = end.id;
  }
}

async function* readRegistrations(db: Kysely<Tables>): AsyncGenerator<RegistryRecord, void, undefined> {
  let last = '';
  for (;;) {
    const rows = await db
      .selectFrom('registration_keys')
      .selectAll()
      .where('key', '>', last)
      .orderBy('key')
      .limit(ROWS_PER_STATEMENT)
      .execute();
    for (const { key, agent, created_at } of rows) {
      yield { kind: 'registration', key, agent: JSON.parse(agent) as Agent, createdAt: created_at };
    }
    const end = rows.at(-1);
    if (!end) return;
    last = end.key;
  }
}
