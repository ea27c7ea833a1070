import { Alert, type AlertProps } from '@mantine/core';
import alertCircle from '../icons/alert-circle.svg?raw';
import { Icon } from './Icon.tsx';
import type { RefObject } from 'react';
import { isOffline, readRestError } from '../api/trpc.ts';

/** Why the last submission of a form failed, as a sentence; before one, why the server refused the posted form. */
export function toFormFailure(form: { error: Error | null; isIdle: boolean }, refusal?: string): string | undefined {
  if (form.isIdle) return refusal;
  return form.error ? describeFailure(form.error) : undefined;
}

export function FormFailure(props: AlertProps & { ref?: RefObject<HTMLDivElement | null> }) {
  if (props.children === undefined) return null;
  return <Alert tabIndex={-1} role="alert" color="red" icon={<Icon svg={alertCircle} />} {...props} />;
}

export class FormError extends Error {}

export function describeFailure(error: Error): string {
  if (error instanceof FormError) return error.message;
  if (isOffline(error)) return 'You seem to be offline. What you have typed is kept; please try again.';
  return readRestError(error)?.detail ?? 'The registry could not be reached. Please try again.';
}
