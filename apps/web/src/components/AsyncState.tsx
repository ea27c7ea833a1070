import { Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { describeNoAnswer, readStatus } from '../api/request-errors.ts';
import { LATE, useIsLate } from '../api/use-slow-request.ts';
import classes from './AsyncState.module.css';
import { TryAgain } from './RetryButton.tsx';

type ReadingProps = {
  /** Why it could not be read; null as long as it is being read. */
  error: unknown;
  /** What is said where the registry has answered that it cannot; without it, every failure is one without an answer. */
  refusal?: string;
  /** Reads it anew, even if it is still being read. */
  tryAgain: () => unknown;
  /** What stands in for it meanwhile. */
  children: ReactNode;
};

/**
 * What is shown of something as long as it has not been read: what stands in for it, and in place of that a sentence and
 * another try where it takes long or has failed.
 */
export function Reading({ error, refusal, tryAgain, children }: ReadingProps) {
  const [attempt, setAttempt] = useState(0);
  const isLate = useIsLate(error === null, attempt);
  if (error === null && !isLate) return children;

  const begin = () => {
    setAttempt(attempt + 1);
    void tryAgain();
  };
  const reason = readStatus(error) === undefined || refusal === undefined ? describeNoAnswer() : refusal;
  return (
    <div role="alert" className={classes.note}>
      <Text mb="md">{error === null ? `${LATE} You can wait, or try again.` : reason}</Text>
      <TryAgain onClick={begin} />
    </div>
  );
}
