/** Whether a host answers: `none` where a request tells neither. */
export type Verdict = 'answered' | 'failed' | 'none';

/** The status of a server that is busy or under maintenance. */
const UNAVAILABLE = 503;

/** The verdict of a response: a host that refuses us answers, too. */
export function toVerdict(status: number): Verdict {
  if (status === UNAVAILABLE) return 'none';
  return status >= 500 ? 'failed' : 'answered';
}

/**
 * The verdict of a request without a response. Only a name that does not exist is a failure: time-outs and certificates may
 * be our own fault, a refused connection may be that of one port, and an address that is not public says nothing.
 */
export function toVerdictOfError(error: unknown): Verdict {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTFOUND' ? 'failed' : 'none';
}
