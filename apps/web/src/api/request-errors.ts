import { RestError } from '@agent-registry/client';
import { TRPCClientError } from '@trpc/client';

/** The HTTP status of a failed request; undefined if there was no response. */
export function readStatus(error: unknown): number | undefined {
  const cause = error instanceof TRPCClientError ? error.cause : undefined;
  return cause instanceof RestError ? cause.status : undefined;
}

/** Whether a request failed because the browser is offline. A registry on the same machine can still respond then. */
export function isOffline(error: unknown): boolean {
  return readStatus(error) === undefined && !navigator.onLine;
}

/** The message for a request without a response; it is retried when the browser is online again. */
export function describeNetworkError(): string {
  return navigator.onLine
    ? 'The registry could not be reached.'
    : 'You seem to be offline. This goes on once you are back.';
}
