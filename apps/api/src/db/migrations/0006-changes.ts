import { sql, type Kysely } from 'kysely';
import type { Engine } from '../engine.ts';
import { beginVersions } from '../registry-version.ts';
import type { Tables } from '../tables.ts';

/**
 * How often agents have changed, and when they last did, beside how many there are: the version of the registry, by which
 * every process knows whether an answer that it keeps still holds. It costs nothing more to write, since the triggers
 * write the counts in any case, and is read with them.
 */
export async function countChanges(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('agent_counts')
    .addColumn('changes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('agent_counts')
    .addColumn('changed_at', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  // The triggers first: on PostgreSQL they wait for the writes under way and hold off others until all is counted.
  await engine.createAgentTriggers(db);
  await db.deleteFrom('agent_counts').execute();
  await beginVersions(db);
  await sql`
    INSERT INTO agent_counts (category, agents) SELECT category, count(*) FROM agents GROUP BY category
  `.execute(db);
}
