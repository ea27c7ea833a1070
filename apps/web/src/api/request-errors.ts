import { RestError } from '@agent-registry/client';
import { TRPCClientError } from '@trpc/client';

/** The HTTP status with which the registry has refused a call; undefined where a call failed without an answer of it. */
export function readStatus(error: unknown): number | undefined {
  const cause = error instanceof TRPCClientError ? error.cause : undefined;
  return cause instanceof RestError ? cause.status : undefined;
}

/** Whether a call has just failed because the browser is offline: a registry on the same machine answers all the same. */
export function isOffline(error: unknown): boolean {
  return readStatus(error) === undefined && !navigator.onLine;
}

/** Says why a call has just failed without an answer; it is made again once the browser is no longer offline. */
export function describeNetworkError(): string {
  return navigator.onLine
    ? 'The registry could not be reached.'
    : 'You seem to be offline. This goes on once you are back.';
}
