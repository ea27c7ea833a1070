import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { recordAction, type Acting } from '../actions/record-of-actions.ts';
import { hasTexts } from '../changes/change-log.ts';
import { rewriteToolWords } from '../connection-checks/offers.ts';
import { ROWS_PER_STATEMENT, walk, streamRecords, writeRecords } from '../db/records.ts';
import { type Registry, toStored, writeAgents } from '../agents/agent-rows.ts';
import { recordKinds, recordTables, type FieldsOf, type KindName, type RegistryRecord } from '../db/record-kinds.ts';
import { beginVersions } from '../db/engine.ts';
import { unlistedStates, type UnlistedState } from '../db/states.ts';
import type { Tables } from '../db/tables.ts';
import { addUnlisted, toUnlisted } from '../agents/unlisted-agents.ts';

/** Streams all records from one snapshot: first the agents, visible or not, in the order in which they were stored. */
export async function* readRecords(db: Kysely<Tables>): AsyncGenerator<RegistryRecord, void, undefined> {
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    yield* readAgents(snapshot);
    for (const kind of Object.keys(recordKinds) as KindName[]) {
      for await (const fields of streamRecords(snapshot, kind)) yield { kind, ...fields } as RegistryRecord;
    }
  } finally {
    await snapshot.rollback().execute();
  }
}

/** Replaces all records, given in the order of `readRecords`, in one transaction; other writers wait meanwhile. */
export function replaceRecords(
  registry: Registry,
  acting: Acting | undefined,
  records: AsyncIterable<RegistryRecord>,
): Promise<void> {
  return registry.db.transaction().execute(async (transaction) => {
    await registry.lockWrites(transaction);
    await registry.tokens.clear(transaction);
    for (const table of recordTables) await transaction.deleteFrom(table).execute();
    const areOfOneKind = (one: RegistryRecord, other: RegistryRecord) => one.kind === other.kind;
    for await (const batch of inBatches(records, ROWS_PER_STATEMENT, areOfOneKind)) {
      await writeBatch(registry, transaction, batch);
    }
    const offering = await transaction.selectFrom('connection_offers').select('agent_id').distinct().execute();
    await rewriteToolWords(
      registry,
      transaction,
      offering.map(({ agent_id: id }) => id),
    );
    await recordAction(transaction, acting);
    await beginLog(transaction);
    await beginVersions(transaction);
  });
}

/** @param belongs whether an item may be in the batch of a first one; any by default */
export async function* inBatches<Item>(
  items: AsyncIterable<Item>,
  size: number,
  belongs: (item: Item, first: Item) => boolean = () => true,
): AsyncGenerator<Item[], void, undefined> {
  let batch: Item[] = [];
  for await (const item of items) {
    if (batch.length === size || (batch.length > 0 && !belongs(item, batch[0] as Item))) {
      yield batch;
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length > 0) yield batch;
}

async function writeBatch(registry: Registry, transaction: Kysely<Tables>, records: RegistryRecord[]): Promise<void> {
  const agents = records.filter((record) => record.kind === 'agent');
  if (agents.length > 0) await writeAgents(registry, transaction, agents, { actor: undefined });
  for (const { kind: state, reason, since, formerState, ...owned } of records.filter(isUnlisted)) {
    await addUnlisted(registry, transaction, [owned], { state, reason, since, formerState });
  }
  const others = records.filter((record) => record.kind in recordKinds) as OtherRecord[];
  const [first] = others;
  if (!first) return;
  const derive = toDerivedColumns as (record: FieldsOf<KindName>) => object;
  await writeRecords<KindName>(transaction, first.kind, others, derive);
}

type OtherRecord = Extract<RegistryRecord, { kind: KindName }>;

function toDerivedColumns(record: OtherRecord): object {
  if (record.kind === 'tombstone') return { state: 'withdrawn', reason: '' };
  if (record.kind === 'change') return { is_latest: 0, has_texts: hasTexts(record.fields) };
  return record.kind === 'registration' ? { agent_id: record.agent.id } : {};
}

function isUnlisted(record: RegistryRecord): record is Extract<RegistryRecord, { kind: UnlistedState }> {
  return unlistedStates.some((state) => state === record.kind);
}

async function* readAgents(db: Kysely<Tables>): AsyncGenerator<RegistryRecord, void, undefined> {
  const listed = walk(db.selectFrom('agents').selectAll(), ['seq']);
  const unlisted = walk(db.selectFrom('unlisted_agents').selectAll().where('seq', 'is not', null), ['seq']);
  let [one, other] = [await listed.next(), await unlisted.next()];
  while (!one.done || !other.done) {
    if (one.value && one.value.seq < (other.value?.seq ?? Infinity)) {
      const { seq: _seq, toolWords: _toolWords, ...owned } = toStored(one.value);
      yield { kind: 'agent', ...owned };
      one = await listed.next();
    } else if (other.value) {
      const { state: kind, ...rest } = toUnlisted(other.value);
      yield { kind, ...rest };
      other = await unlisted.next();
    }
  }
}

/**
 * Begins a new log with the agents and changes that a restore has written, as part of its transaction: the cursors of
 * readers were those of another log. The agents get their times of being listed first from it.
 */
async function beginLog(transaction: Kysely<Tables>): Promise<void> {
  // An imported file may have agents without their changes.
  await sql`
    INSERT INTO agent_changes (agent_id, at, kind, actor, is_latest)
    SELECT id, created_at, 'listed', 'anyone', 0 FROM agents
    WHERE NOT EXISTS (SELECT 1 FROM agent_changes WHERE agent_id = agents.id) ORDER BY seq
  `.execute(transaction);
  await sql`
    UPDATE agent_changes SET is_latest = 1 WHERE number IN (SELECT max(number) FROM agent_changes GROUP BY agent_id)
  `.execute(transaction);
  await sql`
    UPDATE agents SET listed_at = coalesce(
      (SELECT min(at) FROM agent_changes WHERE agent_id = agents.id AND kind = 'listed'), created_at
    )
  `.execute(transaction);
  const id = randomBytes(9).toString('base64url');
  await transaction.updateTable('change_log').set({ id, forgotten: 0 }).execute();
}
