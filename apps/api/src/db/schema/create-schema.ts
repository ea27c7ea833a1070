import type { Kysely } from 'kysely';
import { agentTables } from './agent-tables.ts';
import { dialects, type Dialect } from './dialect.ts';
import { historyTables } from './history-tables.ts';
import { operationTables } from './operation-tables.ts';
import { searchTables } from './search-tables.ts';
import { serverTables } from './server-tables.ts';

/**
 * The name of the schema. Until the tag of 0.1.0, a change edits the files of this folder and raises this number. A
 * database with another name is refused: backups are the way across.
 */
export const SCHEMA = '0033-schema';

/** Creates all tables. Columns are described in `tables.ts`. */
export async function createSchema(db: Kysely<unknown>, engine: Dialect['engine']): Promise<void> {
  // Agents first: others refer to them.
  for (const tables of [agentTables, searchTables, historyTables, serverTables, operationTables]) {
    for (const statement of tables(dialects[engine])) await statement.execute(db);
  }
}
