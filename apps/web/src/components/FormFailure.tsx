import { Alert, type AlertProps } from '@mantine/core';
import alertCircle from '../icons/alert-circle.svg?raw';
import { Icon } from './Icon.tsx';
import type { RefObject } from 'react';
import { isOffline, readRestError } from '../api/request-errors.ts';

type Submission = { error: Error | null; isIdle: boolean };

/** Why the last submission of a form failed, as a sentence; before one, why the server refused the posted form. */
export function useFormFailure({ error, isIdle }: Submission, refusal?: string): string | undefined {
  if (isIdle) return refusal;
  return error ? describeFailure(error) : undefined;
}

type FormFailureProps = AlertProps & { ref?: RefObject<HTMLDivElement | null>; title: string };

/** Why a form was not accepted; nothing without a reason. */
export function FormFailure(props: FormFailureProps) {
  if (props.children === undefined) return null;
  return <Alert tabIndex={-1} role="alert" color="red" icon={<Icon svg={alertCircle} />} {...props} />;
}

/** What a form lacks; its message is a sentence for visitors. */
export class FormError extends Error {}

/** Why a form was not accepted, as a sentence for visitors. */
export function describeFailure(error: Error): string {
  if (error instanceof FormError) return error.message;
  if (isOffline(error)) return 'You seem to be offline. What you have typed is kept; please try again.';
  return readRestError(error)?.detail ?? 'The registry could not be reached. Please try again.';
}
