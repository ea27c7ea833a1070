import type { Kysely } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

/** The keys under which agents were registered, by which a registration that is sent again is known. */
export async function createRegistrationKeys(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('registration_keys')
    .addColumn('key', engine.columnTypes.text, (column) => column.primaryKey().notNull())
    .addColumn('agent', 'text', (column) => column.notNull())
    .addColumn('created_at', engine.columnTypes.text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('registration_keys_by_age').on('registration_keys').column('created_at').execute();
}
