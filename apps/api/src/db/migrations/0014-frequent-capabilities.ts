import type { Kysely } from 'kysely';

/** Creates the index that finds the capabilities of most agents. */
export async function indexFrequentCapabilities(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('capability_counts_by_frequency')
    .on('capability_counts')
    .columns(['agents desc', 'label', 'key'])
    .execute();
}
