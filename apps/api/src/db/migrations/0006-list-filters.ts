import { sql, type Kysely } from 'kysely';
import { orderedText } from './column-types.ts';

/** Agents that are read at once. */
const BATCH_SIZE = 200;

type FilledTables = {
  agents: { seq: number; capabilities: string };
  capability_counts: { label: string; key: string };
  agent_capabilities: { seq: number; key: string };
};

/**
 * Adds the time of being listed first and the capabilities of each agent, by which lists are filtered.
 * @param db the database, as the transaction of the migration
 */
export async function addListFilters(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);

  await db.schema
    .alterTable('agents')
    .addColumn('listed_at', text, (column) => column.notNull().defaultTo(''))
    .execute();
  await sql`
    UPDATE agents SET listed_at = coalesce(
      (SELECT min(at) FROM agent_changes WHERE agent_id = agents.id AND kind = 'listed'), created_at
    )
  `.execute(db);
  // Filters are checked in the index, before rows are read.
  await db.schema
    .createIndex('agents_by_listing')
    .on('agents')
    .columns(['listed_at', 'category', 'pricing_model', 'api_access'])
    .execute();

  // The rows of an agent go with it.
  await db.schema
    .createTable('agent_capabilities')
    .addColumn('seq', 'bigint', (column) => column.notNull().references('agents.seq').onDelete('cascade'))
    .addColumn('key', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_capabilities_key', ['key', 'seq'])
    .$call((table) => (engine === 'sqlite' ? table.modifyEnd(sql`WITHOUT ROWID`) : table))
    .execute();
  await db.schema.createIndex('agent_capabilities_of_agent').on('agent_capabilities').column('seq').execute();
  await fill(db);
}

/** Adds the listed agents. Each key of an agent was counted under one of its labels. */
async function fill(db: Kysely<FilledTables>): Promise<void> {
  for (let last = 0; ;) {
    const agents = await db
      .selectFrom('agents')
      .select(['seq', 'capabilities'])
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(BATCH_SIZE)
      .execute();
    const end = agents.at(-1);
    if (!end) return;
    last = end.seq;
    const owned = agents.map(({ seq, capabilities }) => ({ seq, labels: JSON.parse(capabilities) as string[] }));
    const labels = [...new Set(owned.flatMap((agent) => agent.labels))];
    if (labels.length === 0) continue;
    const counted = await db.selectFrom('capability_counts').selectAll().where('label', 'in', labels).execute();
    const keys = new Map(counted.map(({ label, key }) => [label, key]));
    const rows = owned.flatMap((agent) =>
      [...new Set(agent.labels.flatMap((label) => keys.get(label) ?? []))].map((key) => ({ seq: agent.seq, key })),
    );
    if (rows.length > 0) await db.insertInto('agent_capabilities').values(rows).execute();
  }
}
