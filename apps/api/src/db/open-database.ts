import { existsSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { DatabaseError as PostgresError } from 'pg';
import { defaultConfig } from '../config.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { DatabaseConflictError, DatabaseError } from '../database-error.ts';
import { assertEncoding, openPostgres } from './postgres/engine.ts';
import type { PostgresSettings } from './postgres/pool.ts';
import { createSchema, SCHEMA } from './schema/create-schema.ts';
import { openSqlite } from './sqlite/engine.ts';
import type { Tables } from './tables.ts';

export type OpenOptions = EngineOptions & {
  postgres?: PostgresSettings;
  /** Whether a database that has no tables gets them, as by default. Otherwise it is refused, and a missing file, too. */
  create?: boolean;
};

export type OpenDatabase = {
  engine: Engine;
  /** Whether this call created the tables. */
  isNew: boolean;
};

/** How often a transaction that is rolled back for another one is run. */
const ATTEMPTS = 5;

/**
 * Opens a database, and creates the tables of a new one.
 * @param url `file:` and the path of a SQLite file, or the `postgres://` URL of a PostgreSQL database
 * @throws {DatabaseError} when it cannot be opened, or was made by a version with another schema.
 */
export async function openDatabase(
  url: string,
  { postgres = defaultConfig, create = true, ...options }: OpenOptions = {},
): Promise<OpenDatabase> {
  const path = databasePath(url);
  if (path !== undefined && !create && !existsSync(path)) {
    throw new DatabaseError(`The database ${path} cannot be opened`, new Error('there is no such file'));
  }
  const engine = path === undefined ? openPostgres(url, postgres, options) : openSqlite(path, options);
  try {
    if (engine.name === 'postgres') await assertEncoding(engine);
    if (await hasSchema(engine.db)) return { engine, isNew: false };
    if (!create) throw cannotCreate('a start of the server, import or restore creates its tables');
    if (await engine.isStandby()) throw cannotCreate('it is a standby, and its primary creates its tables');
    return { engine, isNew: await createTables(engine) };
  } catch (cause) {
    await engine.close();
    throw cause instanceof DatabaseError ? cause : new DatabaseError('The database cannot be opened', cause);
  }
}

function cannotCreate(reason: string): DatabaseError {
  return new DatabaseError('The database is empty', new Error(reason));
}

/** The path of the SQLite file that a database URL names; undefined for PostgreSQL. */
export function databasePath(url: string): string | undefined {
  return isFileUrl(url) ? url.replace(/^file:(\/\/(?=\/))?/, '') : undefined;
}

export function isFileUrl(url: string): boolean {
  return url.startsWith('file:');
}

/**
 * Whether the database has the schema of this version; false if it has none.
 * @throws {DatabaseError} when it has the schema of another version.
 */
async function hasSchema(db: Kysely<Tables>): Promise<boolean> {
  const last = (await listMigrations(db)).at(-1);
  if (last === undefined || last === SCHEMA) return last === SCHEMA;
  const reason = new Error('make a backup with the version that made it, and restore that into a new database');
  throw new DatabaseError(`The database has the schema ${last}, and this version needs ${SCHEMA}`, reason);
}

/**
 * Creates the tables, unless another process does so meanwhile.
 * @returns whether this call did it
 */
async function createTables(engine: Engine): Promise<boolean> {
  const migration = { up: (db: Kysely<unknown>) => createSchema(db, engine.name) };
  const provider = { getMigrations: async () => ({ [SCHEMA]: migration }) };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await engine.db.transaction().execute(async (transaction) => {
        await engine.lockSchema(transaction);
        if (await hasSchema(transaction)) return false;
        const { error } = await new Migrator({ db: transaction, provider }).migrateToLatest();
        // Thrown, so that the transaction is rolled back.
        if (error) throw error;
        return true;
      });
    } catch (cause) {
      if (cause instanceof DatabaseError) throw cause;
      if (!(cause instanceof DatabaseConflictError) || attempt === ATTEMPTS)
        throw new DatabaseError('The tables cannot be created', cause);
    }
  }
}

/** The migrations of a database, of any version, in their order. */
export async function listMigrations(db: Kysely<Tables>): Promise<string[]> {
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
