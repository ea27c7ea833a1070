import { Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { describeNetworkError, readStatus } from '../api/request-errors.ts';
import { SLOW_REQUEST, useSlowRequest } from '../api/use-slow-request.ts';
import classes from './AsyncState.module.css';
import { RetryButton } from './RetryButton.tsx';

type AsyncStateProps = {
  /** Why it could not be read; null as long as it is being read. */
  error: unknown;
  /** What is said where the registry has answered that it cannot; without it, every failure is one without an answer. */
  refusal?: string;
  /** Reads it anew, even if it is still being read. */
  retry: () => unknown;
  /** What stands in for it meanwhile. */
  children: ReactNode;
};

/**
 * What is shown of something as long as it has not been read: what stands in for it, and in place of that a sentence and
 * another try where it takes long or has failed.
 */
export function AsyncState({ error, refusal, retry, children }: AsyncStateProps) {
  const [attempt, setAttempt] = useState(0);
  const isLate = useSlowRequest(error === null, attempt);
  if (error === null && !isLate) return children;

  const begin = () => {
    setAttempt(attempt + 1);
    void retry();
  };
  const reason = readStatus(error) === undefined || refusal === undefined ? describeNetworkError() : refusal;
  return (
    <div role="alert" className={classes.note}>
      <Text mb="md">{error === null ? `${SLOW_REQUEST} You can wait, or try again.` : reason}</Text>
      <RetryButton onClick={begin} />
    </div>
  );
}
