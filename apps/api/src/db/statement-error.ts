import { DatabaseError as PostgresError } from 'pg';
import { DatabaseError } from '../database-error.ts';

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
