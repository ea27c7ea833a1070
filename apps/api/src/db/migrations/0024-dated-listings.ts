import type { Kysely } from 'kysely';

/** Adds the time of the last change to the index by the time of listing, so that sitemaps of months are dated by it alone. */
export async function dateListings(db: Kysely<unknown>): Promise<void> {
  const columns = ['listed_at', 'category', 'pricing_model', 'api_access', 'seq', 'changed_at'];
  await db.schema.dropIndex('agents_by_listing').execute();
  await db.schema.createIndex('agents_by_listing').on('agents').columns(columns).execute();
}
