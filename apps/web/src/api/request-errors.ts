import { RestError } from '@agent-registry/client';
import { TRPCClientError } from '@trpc/client';

/** The HTTP status of a failed request; undefined if there was no response. */
export function readStatus(error: unknown): number | undefined {
  return readRestError(error)?.status;
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

/** The response behind the error of a request; undefined if there was none. */
export function readRestError(error: unknown): RestError | undefined {
  const cause = error instanceof TRPCClientError ? error.cause : undefined;
  return cause instanceof RestError ? cause : undefined;
}
