import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { DatabaseError, type Engine, type QueryListener } from './engine.ts';
import { createAgents } from './migrations/0001-agents.ts';
import { createAgentTokens } from './migrations/0002-search.ts';
import { countAgents } from './migrations/0003-agent-counts.ts';
import { defaultPostgresSettings, openPostgres, type PostgresSettings } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** How to open a database. */
export type OpenOptions = {
  /** Of the connections to PostgreSQL. */
  postgres?: PostgresSettings;
  onQuery?: QueryListener | undefined;
};

/** An open database with every migration done. */
export type OpenDatabase = {
  engine: Engine;
  /** Whether this call created it. */
  isNew: boolean;
};

/**
 * Opens the database that a URL names and brings it up to date.
 * @param url `file:` and the path of a SQLite file, or the `postgres://` URL of a PostgreSQL database
 * @throws {DatabaseError} when it cannot be opened or brought up to date.
 */
export async function openDatabase(
  url: string,
  { postgres = defaultPostgresSettings, onQuery }: OpenOptions = {},
): Promise<OpenDatabase> {
  const engine = isFileUrl(url)
    ? openSqlite(url.replace(/^file:(\/\/(?=\/))?/, ''), onQuery)
    : openPostgres(url, postgres, onQuery);
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
