import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { DatabaseError, type Engine } from './engine.ts';
import { createAgents } from './migrations/0001-agents.ts';
import { createAgentTokens } from './migrations/0002-search.ts';
import { countAgents } from './migrations/0003-agent-counts.ts';
import { createBudgets } from './migrations/0004-budgets.ts';
import { createRegistrationKeys } from './migrations/0005-registration-keys.ts';
import { defaultPostgresSettings, openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** An open database with every migration done. */
export type OpenDatabase = {
  engine: Engine;
  /** Whether this call created it. */
  isNew: boolean;
};

/**
 * Opens the database that a URL names and brings it up to date.
 * @param url `file:` and the path of a SQLite file, or the `postgres://` URL of a PostgreSQL database
 * @param settings of the connections to PostgreSQL
 * @throws {DatabaseError} when it cannot be opened or brought up to date.
 */
export async function openDatabase(url: string, settings = defaultPostgresSettings): Promise<OpenDatabase> {
  const engine = isFileUrl(url) ? openSqlite(url.replace(/^file:(\/\/(?=\/))?/, '')) : openPostgres(url, settings);
  try {
    return { engine, isNew: await migrate(engine) };
  } catch (cause) {
    await engine.close();
    throw cause;
  }
}

/** Whether a database URL names a file, and not a server. */
export function isFileUrl(url: string): boolean {
  return url.startsWith('file:');
}

/** Runs the migrations that are missing and says whether the first was among them. */
async function migrate(engine: Engine): Promise<boolean> {
  const migrations: Record<string, (db: Kysely<Tables>, engine: Engine) => Promise<void>> = {
    '0001-agents': createAgents,
    '0002-search': createAgentTokens,
    '0003-agent-counts': countAgents,
    '0004-budgets': createBudgets,
    '0005-registration-keys': createRegistrationKeys,
  };
  const migrator = new Migrator({
    db: engine.db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, up]) => [name, { up: (db) => up(db, engine) }])),
    },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw new DatabaseError('The database cannot be brought up to date', error);
  return results.some((result) => result.migrationName === '0001-agents');
}
