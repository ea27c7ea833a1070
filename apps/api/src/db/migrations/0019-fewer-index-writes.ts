import { sql, type Kysely } from 'kysely';

/**
 * Replaces the indexes of capabilities that each registration changes: counts are in one of them, which has no capability
 * of a single agent. The order of the latest agents ascends, so that a new one is added at the end.
 */
export async function writeFewerIndexes(db: Kysely<unknown>): Promise<void> {
  for (const name of ['by_key', 'by_agents', 'by_frequency']) {
    await db.schema.dropIndex(`capability_counts_${name}`).execute();
  }
  await db.schema.alterTable('capability_counts').dropColumn('beginning').execute();
  await db.schema.createIndex('capability_counts_by_key').on('capability_counts').column('key').execute();
  await sql`
    CREATE INDEX capability_counts_of_several ON capability_counts (agents DESC, label, key) WHERE agents > 1
  `.execute(db);

  await db.schema.dropIndex('agents_latest').execute();
  const latest = ['changed_at', 'seq', 'pricing_model', 'api_access'];
  await db.schema.createIndex('agents_latest').on('agents').columns(latest).execute();
}
