import { Alert, type AlertProps } from '@mantine/core';
import alertCircle from '../icons/alert-circle.svg?raw';
import { Icon } from './Icon.tsx';
import type { RefObject } from 'react';
import { describeFailure } from '../api/request-errors.ts';

type Submission = { error: Error | null; isIdle: boolean };

/** Why the last submission of a form failed, as a sentence; before one, why the server refused the posted form. */
export function useFormFailure({ error, isIdle }: Submission, refusal?: string): string | undefined {
  if (isIdle) return refusal;
  return error ? describeFailure(error) : undefined;
}

type FormFailureProps = AlertProps & { ref?: RefObject<HTMLDivElement | null>; title: string };

export function FormFailure(props: FormFailureProps) {
  return <Alert tabIndex={-1} role="alert" color="red" icon={<Icon svg={alertCircle} aria-hidden />} {...props} />;
}
