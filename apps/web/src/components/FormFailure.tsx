import { Alert, type AlertProps } from '@mantine/core';
import alertCircle from '../icons/alert-circle.svg?raw';
import { Icon } from './Icon.tsx';
import type { RefObject } from 'react';
import { describeFailure } from '../api/describe-failure.ts';

/** The last submission of a form. */
type Submission = { error: Error | null; isIdle: boolean };

/**
 * Returns why the last submission of a form failed, as a sentence.
 * @param refusal why the server refused the form that was posted without scripts, if it did
 */
export function useFormFailure({ error, isIdle }: Submission, refusal?: string): string | undefined {
  if (isIdle) return refusal;
  return error ? describeFailure(error) : undefined;
}

type FormFailureProps = AlertProps & { ref?: RefObject<HTMLDivElement | null>; title: string };

/** Shows why the last submission of a form failed. */
export function FormFailure(props: FormFailureProps) {
  return <Alert tabIndex={-1} role="alert" color="red" icon={<Icon svg={alertCircle} aria-hidden />} {...props} />;
}
