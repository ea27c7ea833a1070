import { isOffline, readRestError } from './request-errors.ts';

/** What a form lacks; its message is a sentence for visitors. */
export class FormError extends Error {}

/** Why a form was not accepted, as a sentence for visitors. */
export function describeFailure(error: Error): string {
  if (error instanceof FormError) return error.message;
  if (isOffline(error)) return 'You seem to be offline. What you have typed is kept; please try again.';
  return readRestError(error)?.detail ?? 'The registry could not be reached. Please try again.';
}
