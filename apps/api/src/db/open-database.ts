import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { DatabaseError, type Engine, type QueryListener } from './engine.ts';
import { createAgents } from './migrations/0001-agents.ts';
import { createAgentTokens } from './migrations/0002-search.ts';
import { countAgents } from './migrations/0003-agent-counts.ts';
import { createBudgets } from './migrations/0004-budgets.ts';
import { createRegistrationKeys } from './migrations/0005-registration-keys.ts';
import { countChanges } from './migrations/0006-changes.ts';
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
    '0004-budgets': createBudgets,
    '0005-registration-keys': createRegistrationKeys,
    '0006-changes': countChanges,
  };
  const migrator = new Migrator({
    db: engine.db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, up]) => [name, { up: (db) => up(db, engine) }])),
    },
  });
  const unknown = (await listExecuted(engine)).filter((name) => !(name in migrations));
  if (unknown.length > 0) {
    const reason = new Error(`this version does not know its changes ${unknown.join(', ')}`);
    throw new DatabaseError('The database is that of a newer version of Agent Registry', reason);
  }
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw new DatabaseError('The database cannot be brought up to date', error);
  return results.some((result) => result.migrationName === '0001-agents');
}

/** The migrations that a database has had, whichever version did them. */
async function listExecuted({ db }: Engine): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const rows = await db
    .withTables<{ [DEFAULT_MIGRATION_TABLE]: { name: string } }>()
    .selectFrom(DEFAULT_MIGRATION_TABLE)
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}
