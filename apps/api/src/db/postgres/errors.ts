import { DatabaseUnavailableError, DatabaseUnwritableError } from '../../database-error.ts';

// A read-only server, such as a standby; a full disk.
const UNWRITABLE = /^(25006|53100)$/;
// Network errors; then SQLSTATEs: lost connections, too few resources, a server that starts or stops, timeouts, and
// failures of the server itself, such as a library that it cannot load after an upgrade.
const UNAVAILABLE =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|53\w{3}|57P\w{2}|57014|25P03|58\w{3}|XX\w{3})$/;
// Errors of the driver have no code.
const QUERY_TIMEOUT = 'Query read timeout';
const UNAVAILABLE_MESSAGE = /Connection terminated|timeout exceeded when trying to connect|is not queryable/;

/** Whether a statement exceeded `query_timeout`. */
export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === QUERY_TIMEOUT;
}

/** Maps errors of PostgreSQL and its driver that mean an outage to `DatabaseUnavailableError`. */
export function toOutage(cause: unknown): unknown {
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  if (UNWRITABLE.test(code)) {
    return new DatabaseUnwritableError(`The database cannot be written: ${message}`, { cause });
  }
  if (UNAVAILABLE.test(code) || UNAVAILABLE_MESSAGE.test(message) || isQueryTimeout(cause)) {
    return new DatabaseUnavailableError(`The database does not answer: ${message || code}`, { cause });
  }
  return cause;
}
