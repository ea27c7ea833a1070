import { existsSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { defaultConfig, toPostgresSettings } from '../config.ts';
import { DatabaseError, type Engine, type QueryListener } from './engine.ts';
import { createAgents } from './migrations/0001-agents.ts';
import { createAgentTokens } from './migrations/0002-search.ts';
import { countAgents } from './migrations/0003-agent-counts.ts';
import { createRateLimiter } from './migrations/0004-budgets.ts';
import { createRegistrationKeys } from './migrations/0005-registration-keys.ts';
import { countChanges } from './migrations/0006-changes.ts';
import { createHiddenAgents } from './migrations/0007-hidden-agents.ts';
import { mergeSteadily } from './migrations/0008-steady-merging.ts';
import { orderCounts } from './migrations/0009-ordered-counts.ts';
import { openPostgres } from './postgres/engine.ts';
import type { PostgresSettings } from './postgres/pool.ts';
import { openSqlite } from './sqlite/engine.ts';
import type { Tables } from './tables.ts';

/** How to open a database. */
export type OpenOptions = {
  /** Of the connections to PostgreSQL. */
  postgres?: PostgresSettings;
  onQuery?: QueryListener | undefined;
  /**
   * Which databases are brought up to date: `any`; or only `new` ones, and others are refused unless they are; or `none`.
   * With `none`, a database that is not there is refused as well.
   */
  migrate?: 'any' | 'new' | 'none';
};

/** An open database with every migration done. */
export type OpenDatabase = {
  engine: Engine;
  /** Whether this call created it. */
  isNew: boolean;
  /** The migrations that this call did. */
  migrations: string[];
};

/**
 * Opens the database that a URL names and brings it up to date.
 * @param url `file:` and the path of a SQLite file, or the `postgres://` URL of a PostgreSQL database
 * @throws {DatabaseError} when it cannot be opened or brought up to date.
 */
export async function openDatabase(
  url: string,
  { postgres = toPostgresSettings(defaultConfig), onQuery, migrate = 'any' }: OpenOptions = {},
): Promise<OpenDatabase> {
  const path = isFileUrl(url) ? url.replace(/^file:(\/\/(?=\/))?/, '') : undefined;
  if (path !== undefined && migrate === 'none' && !existsSync(path)) {
    throw new DatabaseError(`The database ${path} cannot be opened`, new Error('there is no such file'));
  }
  const engine = path === undefined ? openPostgres(url, postgres, onQuery) : openSqlite(path, onQuery);
  try {
    const migrations = await bringUpToDate(engine, migrate);
    return { engine, isNew: migrations.includes(FIRST_MIGRATION), migrations };
  } catch (cause) {
    await engine.close();
    throw cause instanceof DatabaseError ? cause : new DatabaseError('The database cannot be opened', cause);
  }
}

/** Whether a database URL names a file, and not a server. */
export function isFileUrl(url: string): boolean {
  return url.startsWith('file:');
}

const migrations: Record<string, (db: Kysely<Tables>, engine: Engine) => Promise<void>> = {
  '0001-agents': createAgents,
  '0002-search': createAgentTokens,
  '0003-agent-counts': countAgents,
  '0004-budgets': createRateLimiter,
  '0005-registration-keys': createRegistrationKeys,
  '0006-changes': countChanges,
  '0007-hidden-agents': createHiddenAgents,
  '0008-steady-merging': mergeSteadily,
  '0009-ordered-counts': orderCounts,
};

const FIRST_MIGRATION = '0001-agents';

/** Runs the migrations that are missing and gives their names. */
async function bringUpToDate(engine: Engine, which: 'any' | 'new' | 'none'): Promise<string[]> {
  const migrator = new Migrator({
    db: engine.db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, up]) => [name, { up: (db) => up(db, engine) }])),
    },
  });
  const executed = await listMigrations(engine);
  const unknown = executed.filter((name) => !(name in migrations));
  if (unknown.length > 0) {
    const reason = new Error(`this version does not know its changes ${unknown.join(', ')}`);
    throw new DatabaseError('The database is that of a newer version of Agent Registry', reason);
  }
  const missing = Object.keys(migrations).filter((name) => !executed.includes(name));
  if (missing.length === 0) return [];
  if (which === 'none' || (which === 'new' && executed.length > 0)) {
    const reason = new Error(`it lacks the changes ${missing.join(', ')}, which the command migrate makes`);
    throw new DatabaseError('The database is not up to date', reason);
  }
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw new DatabaseError('The database cannot be brought up to date', error);
  return results.map(({ migrationName }) => migrationName);
}

/** The migrations that a database has had, whichever version did them, in their order. */
export async function listMigrations({ db }: Engine): Promise<string[]> {
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
