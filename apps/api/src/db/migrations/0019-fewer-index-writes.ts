import { sql, type Kysely } from 'kysely';
import { orderedText } from './column-types.ts';

/**
 * Makes a registration write fewer indexes: capabilities are stored by their keys, with one further index of those of
 * several agents. The order of the latest agents ascends, so that a new one is added at its end.
 */
export async function writeFewerIndexes(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);
  await db.schema.alterTable('capability_counts').renameTo('former_capability_counts').execute();
  await db.schema
    .createTable('capability_counts')
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('label', text, (column) => column.notNull())
    .addColumn('agents', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('capability_counts_key', ['key', 'label'])
    .$call((table) => (engine === 'sqlite' ? table.modifyEnd(sql`WITHOUT ROWID`) : table))
    .execute();
  await sql`
    INSERT INTO capability_counts (key, label, agents) SELECT key, label, agents FROM former_capability_counts
  `.execute(db);
  await db.schema.dropTable('former_capability_counts').execute();
  await sql`
    CREATE INDEX capability_counts_of_several ON capability_counts (agents DESC, label, key) WHERE agents > 1
  `.execute(db);

  await db.schema.dropIndex('agents_latest').execute();
  const latest = ['changed_at', 'seq', 'pricing_model', 'api_access'];
  await db.schema.createIndex('agents_latest').on('agents').columns(latest).execute();
}
