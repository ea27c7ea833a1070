import type { Kysely } from 'kysely';
import { orderedText } from './column-types.ts';

/** Creates the table of the views of agents by day, and that of the hosts of websites. */
export async function createViewsAndHosts(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);
  await db.schema
    .createTable('agent_views')
    .addColumn('agent_id', text, (column) => column.notNull())
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('views', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_views_key', ['agent_id', 'day'])
    .execute();
  await db.schema.createIndex('agent_views_by_age').on('agent_views').column('day').execute();

  await db.schema
    .createTable('website_hosts')
    .addColumn('host', text, (column) => column.primaryKey().notNull())
    .addColumn('due_at', text, (column) => column.notNull())
    .addColumn('leased_until', text, (column) => column.notNull().defaultTo(''))
    .addColumn('answered_at', 'text')
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('first_failed_at', 'text')
    .addColumn('last_failed_at', 'text')
    .execute();
  await db.schema.createIndex('website_hosts_by_due_time').on('website_hosts').column('due_at').execute();
}
