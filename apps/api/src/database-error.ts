/** The database cannot be used; the message names the failed operation and its reason. */
export class DatabaseError extends Error {
  constructor(failure: string, cause: unknown) {
    super(`${failure}: ${cause instanceof Error ? cause.message : 'the reason is unknown'}.`, { cause });
  }
}

/** The database does not respond; a later attempt may succeed. */
export class DatabaseUnavailableError extends Error {}

/** The database was asked and does not answer in time. */
export class DatabaseTimeoutError extends DatabaseUnavailableError {}

/** A transaction that was rolled back for another one, or a lock that another one holds; the same again may succeed. */
export class DatabaseConflictError extends DatabaseUnavailableError {}

/** The database is read-only or full; a later write may succeed. */
export class DatabaseUnwritableError extends DatabaseUnavailableError {}

/** The queue of searches is full; a later search may succeed. */
export class DatabaseBusyError extends DatabaseUnavailableError {}

/** Rejects with `DatabaseTimeoutError` if a result is not there by a deadline, as `performance.now()` counts. */
export async function inTime<Result>(result: Promise<Result>, deadline: number): Promise<Result> {
  if (deadline === Infinity) return result;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const refuse = () => reject(new DatabaseTimeoutError('The database does not answer in time.'));
  const timer = setTimeout(refuse, Math.max(0, deadline - performance.now()));
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
