import { existsSync } from 'node:fs';
import type { Kysely, Transaction } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration';
import { DatabaseError as PostgresError } from 'pg';
import { defaultConfig } from '../config.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { DatabaseError } from '../database-error.ts';
import { createInitialSchema } from './migrations/0001-first-release.ts';
import { createChangeLog } from './migrations/0002-change-log.ts';
import { addExampleTasks } from './migrations/0003-example-tasks.ts';
import { createSuggestions } from './migrations/0004-suggestions.ts';
import { createReview } from './migrations/0005-review.ts';
import { addListFilters } from './migrations/0006-list-filters.ts';
import { addWebsiteProofs } from './migrations/0008-website-proofs.ts';
import { createViewsAndHosts } from './migrations/0009-views-and-hosts.ts';
import { createOperatorActions } from './migrations/0010-operator-actions.ts';
import { createOperatorEvents } from './migrations/0011-operator-events.ts';
import { createSources } from './migrations/0012-sources.ts';
import { createDailyFigures } from './migrations/0013-daily-figures.ts';
import { indexFrequentCapabilities } from './migrations/0014-frequent-capabilities.ts';
import { addClockAndTexts } from './migrations/0015-clock-and-texts.ts';
import { addConnections } from './migrations/0017-connections.ts';
import { addServerDocuments } from './migrations/0018-server-documents.ts';
import { writeFewerIndexes } from './migrations/0019-fewer-index-writes.ts';
import { createConnectionChecks } from './migrations/0020-connection-checks.ts';
import { addServerName } from './migrations/0021-server-name.ts';
import { addInnerStarts } from './migrations/0022-inner-starts.ts';
import { createRefusedEvents } from './migrations/0023-refused-events.ts';
import { dateListings } from './migrations/0024-dated-listings.ts';
import { indexRemovals } from './migrations/0025-removals.ts';
import { indexChangesInOrder } from './migrations/0026-changes-in-order.ts';
import { assertEncoding, openPostgres } from './postgres/engine.ts';
import type { PostgresSettings } from './postgres/pool.ts';
import { openSqlite } from './sqlite/engine.ts';
import type { Tables } from './tables.ts';
import { toTokens } from '../search/agent-tokens.ts';
import { toAgent, walkChunks } from './records.ts';

export type OpenOptions = EngineOptions & {
  postgres?: PostgresSettings;
  /**
   * Which databases are migrated: `any`, only `new` ones, or `none`. A database that lacks migrations after that is
   * refused. With `none`, a missing file is refused too.
   */
  migrate?: 'any' | 'new' | 'none';
};

/** An open database with all migrations. */
export type OpenDatabase = {
  engine: Engine;
  /** Whether this call created it. */
  isNew: boolean;
  /** The migrations that this call ran. */
  migrations: string[];
};

/** The migrations by name, in their order. */
type Migrations = Record<string, (db: Kysely<unknown>, name: Engine['name']) => Promise<void>>;

const allMigrations: Migrations = {
  '0001-first-release': createInitialSchema,
  '0002-change-log': createChangeLog,
  '0003-example-tasks': addExampleTasks,
  '0004-suggestions': createSuggestions,
  '0005-review': createReview,
  '0006-list-filters': addListFilters,
  '0007-field-tokens': async () => {},
  '0008-website-proofs': addWebsiteProofs,
  '0009-views-and-hosts': createViewsAndHosts,
  '0010-operator-actions': createOperatorActions,
  '0011-operator-events': createOperatorEvents,
  '0012-sources': createSources,
  '0013-daily-figures': createDailyFigures,
  '0014-frequent-capabilities': indexFrequentCapabilities,
  '0015-clock-and-texts': addClockAndTexts,
  '0016-whole-field-tokens': async () => {},
  '0017-connections': addConnections,
  '0018-server-documents': addServerDocuments,
  '0019-fewer-index-writes': writeFewerIndexes,
  '0020-connection-checks': createConnectionChecks,
  '0021-server-name': addServerName,
  '0022-inner-starts': addInnerStarts,
  '0023-refused-events': createRefusedEvents,
  '0024-dated-listings': dateListings,
  '0025-removals': indexRemovals,
  '0026-changes-in-order': indexChangesInOrder,
};

/** Databases that lack it are older than the first release, which changed the migration before it. */
const FIRST_FROZEN = '0002-change-log';

/** The migrations that change which tokens agents have: all are written again after the last migration. */
const tokenMigrations = new Set(['0007-field-tokens', '0016-whole-field-tokens']);

/** The names of all migrations of this version, in their order. */
export const migrationNames = Object.keys(allMigrations);

/**
 * Opens a database and runs missing migrations.
 * @param url `file:` and the path of a SQLite file, or the `postgres://` URL of a PostgreSQL database
 * @throws {DatabaseError} when it cannot be opened or migrated.
 */
export async function openDatabase(
  url: string,
  { postgres = defaultConfig, migrate = 'any', ...options }: OpenOptions = {},
): Promise<OpenDatabase> {
  const path = databasePath(url);
  if (path !== undefined && migrate === 'none' && !existsSync(path)) {
    throw new DatabaseError(`The database ${path} cannot be opened`, new Error('there is no such file'));
  }
  const engine = path === undefined ? openPostgres(url, postgres, options) : openSqlite(path, options);
  try {
    if (engine.name === 'postgres') await assertEncoding(engine);
    return { engine, ...(await migrateDatabase(engine, migrate)) };
  } catch (cause) {
    await engine.close();
    throw cause instanceof DatabaseError ? cause : new DatabaseError('The database cannot be opened', cause);
  }
}

/** The path of the SQLite file that a database URL names; undefined for PostgreSQL. */
export function databasePath(url: string): string | undefined {
  return isFileUrl(url) ? url.replace(/^file:(\/\/(?=\/))?/, '') : undefined;
}

/** Whether a database URL names a file. */
export function isFileUrl(url: string): boolean {
  return url.startsWith('file:');
}

/** Runs missing migrations where `which` allows it. */
export async function migrateDatabase(
  engine: Engine,
  which: 'any' | 'new' | 'none',
  migrations: Migrations = allMigrations,
): Promise<Pick<OpenDatabase, 'isNew' | 'migrations'>> {
  const executed = await listMigrations(engine);
  if (executed.length > 0 && !executed.includes(FIRST_FROZEN)) {
    const reason = new Error('make a backup with that version, and restore it into a new database');
    throw new DatabaseError('The database was made by a version before the first release', reason);
  }
  const unknown = findUnknownMigrations(executed, migrations);
  if (unknown.length > 0) {
    const reason = new Error(`this version does not know the migrations ${unknown.join(', ')}`);
    throw new DatabaseError('The database was made by a newer version of Agent Registry', reason);
  }
  const missing = Object.keys(migrations).filter((name) => !executed.includes(name));
  if (missing.length === 0) return { isNew: false, migrations: [] };
  if (await engine.isStandby()) {
    const reason = new Error(`it is a standby and lacks the migrations ${missing.join(', ')}, which its primary runs`);
    throw new DatabaseError('The database is not up to date', reason);
  }
  if (which === 'none' || (which === 'new' && executed.length > 0)) {
    const reason = new Error(`it lacks the migrations ${missing.join(', ')}, which the command migrate runs`);
    throw new DatabaseError('The database is not up to date', reason);
  }
  const done = await engine.db.transaction().execute(async (transaction) => {
    await engine.lockMigrations(transaction);
    const names = await runMigrations(engine, transaction, migrations);
    // Not in a migration: it would make tokens from columns that a later one adds.
    if (names.some((name) => tokenMigrations.has(name))) await rewriteAllTokens(engine, transaction);
    return names;
  });
  // Of processes that start together, only one runs the first migration.
  return { isNew: done.includes(Object.keys(migrations)[0] ?? ''), migrations: done };
}

async function runMigrations(
  engine: Engine,
  transaction: Transaction<Tables>,
  migrations: Migrations,
): Promise<string[]> {
  const entries = Object.entries(migrations).map(([name, up]) => [
    name,
    { up: (db: Kysely<unknown>) => up(db, engine.name) },
  ]);
  const provider = { getMigrations: async () => Object.fromEntries(entries) as Record<string, Migration> };
  const { error, results = [] } = await new Migrator({ db: transaction, provider }).migrateToLatest();
  // Thrown, so that the transaction is rolled back.
  if (error) throw new DatabaseError('The database cannot be migrated', error);
  return results.map(({ migrationName }) => migrationName);
}

/** Picks the migrations that only a newer version knows. */
export function findUnknownMigrations(names: readonly string[], migrations: Migrations = allMigrations): string[] {
  return names.filter((name) => !(name in migrations));
}

/** The migrations of a database, of any version, in their order. */
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

/** Writes the tokens of all listed agents again, as part of a transaction: after a migration that changed them. */
async function rewriteAllTokens(
  { tokens, categories }: Pick<Engine, 'tokens' | 'categories'>,
  transaction: Kysely<Tables>,
): Promise<void> {
  const agents = transaction.selectFrom('agents').selectAll();
  for await (const rows of walkChunks(agents, ['seq'])) {
    const written = rows.map((row) => ({ seq: row.seq, ...toTokens(toAgent(row), categories) }));
    const seqs = written.map(({ seq }) => seq);
    await tokens.remove(transaction, seqs);
    await transaction.deleteFrom('agent_terms').where('seq', 'in', seqs).execute();
    await tokens.add(transaction, written);
  }
}

/**
 * Turns an error with which a database answered a statement, such as a missing table or a value out of range, into a
 * `DatabaseError`. Other errors are returned.
 */
export function toDatabaseError(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  // Errors of SQLite's write thread arrive without their class.
  const isSqlite = typeof code === 'string' && code.startsWith('SQLITE_');
  if (!isSqlite && !(error instanceof PostgresError)) return error;
  return new DatabaseError('The database refused a statement', error);
}
