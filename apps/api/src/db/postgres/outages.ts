import { DatabaseError as PostgresError } from 'pg';
import {
  DatabaseConflictError,
  DatabaseTimeoutError,
  DatabaseUnavailableError,
  DatabaseUnwritableError,
} from '../../database-error.ts';

type Outage = typeof DatabaseUnavailableError;

/** SQLSTATEs that are no errors of ours: classes, and codes that mean something else than their class. */
const outages: Record<string, Outage> = {
  // Lost connections, and a session that was idle in its transaction or took too long for it.
  '08': DatabaseUnavailableError,
  '25P03': DatabaseUnavailableError,
  '25P04': DatabaseUnavailableError,
  // A read-only server, such as a standby; a full disk.
  '25006': DatabaseUnwritableError,
  '53100': DatabaseUnwritableError,
  // A wrong password, role or database, as while it is restored.
  '28': DatabaseUnavailableError,
  '3D': DatabaseUnavailableError,
  '42501': DatabaseUnavailableError,
  // A transaction that was rolled back: a deadlock, or a read that a standby cancels to apply changes.
  '40': DatabaseConflictError,
  // Nobody knows whether the statement was run.
  '40003': DatabaseUnavailableError,
  // Locks that others hold.
  '55': DatabaseConflictError,
  // Too few resources, a server that starts or stops, and failures of the server itself.
  '53': DatabaseUnavailableError,
  '57': DatabaseUnavailableError,
  '57014': DatabaseTimeoutError,
  '58': DatabaseUnavailableError,
  F0: DatabaseUnavailableError,
  XX: DatabaseUnavailableError,
};

/** Errors of the driver, which have no code. */
const QUERY_TIMEOUT = 'Query read timeout';
const LOST_CONNECTION = /Connection terminated|timeout exceeded when trying to connect|is not queryable/;

export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === QUERY_TIMEOUT;
}

/** Maps errors of PostgreSQL, the network and the driver that are no errors of ours to `DatabaseUnavailableError`. */
export function toOutage(cause: unknown): unknown {
  const Kind = kindOf(cause as SomeError);
  if (!Kind) return cause;
  const { code = '', message = '' } = cause as SomeError;
  const failure = Kind === DatabaseUnwritableError ? 'cannot be written' : 'does not answer';
  return new Kind(`The database ${failure}: ${message || code}`, { cause });
}

/** Maps an error with which no connection was made, such as that of a certificate. */
export function toRefusal(cause: unknown): unknown {
  const outage = toOutage(cause);
  if (outage instanceof DatabaseUnavailableError) return outage;
  return new DatabaseUnavailableError(`The database does not answer: ${(cause as Error).message}`, { cause });
}

type SomeError = { code?: string; message?: string; syscall?: string };

function kindOf(error: SomeError): Outage | undefined {
  if (isQueryTimeout(error)) return DatabaseTimeoutError;
  const { code = '', message = '', syscall } = error;
  // Errors of Node name the call that failed: no route, no name, a connection that was reset.
  if (syscall !== undefined || LOST_CONNECTION.test(message)) return DatabaseUnavailableError;
  return error instanceof PostgresError ? (outages[code] ?? outages[code.slice(0, 2)]) : undefined;
}

/** Whether asking again may succeed at once: others are out of the way, or another connection works. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailableError)) return false;
  if (error instanceof DatabaseConflictError) return true;
  const { cause } = error as { cause?: { code?: string } };
  const isRefused = cause instanceof PostgresError && !/^(?:08|57)/.test(cause.code ?? '');
  return !isRefused && !(error instanceof DatabaseTimeoutError) && !(error instanceof DatabaseUnwritableError);
}

/** Whether a statement only reads, so that it may be asked again. */
export function isRead(statement: string): boolean {
  return /^\s*(?:select|with)\b/i.test(statement) && !/\b(?:insert|update|delete|merge|nextval)\b/i.test(statement);
}
