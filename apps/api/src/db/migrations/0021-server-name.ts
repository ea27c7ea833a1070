import type { Kysely } from 'kysely';

/** Adds the name that an owner has chosen for the MCP server of an agent. */
export async function addServerName(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('agents').addColumn('server_name', 'text').execute();
}
