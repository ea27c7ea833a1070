import { Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { describeNetworkError, readStatus } from '../api/request-errors.ts';
import { SLOW_REQUEST, useSlowRequest } from '../api/use-slow-request.ts';
import classes from './AsyncState.module.css';
import { RetryButton } from './RetryButton.tsx';

type AsyncStateProps = {
  /** Why the request failed; null while it is pending. */
  error: unknown;
  /** The message if the registry responded with an error; by default that of a network error. */
  errorMessage?: string;
  /** Sends the request again; cancels a pending one. */
  retry: () => unknown;
  /** Shown while the request is pending. */
  children?: ReactNode;
};

/** Placeholder while loading; on error or after 10 s, a message and a Retry button. */
export function AsyncState({ error, errorMessage, retry, children }: AsyncStateProps) {
  const [attempt, setAttempt] = useState(0);
  const isSlow = useSlowRequest(error === null, attempt);
  if (error === null && !isSlow) return children;

  const handleRetry = () => {
    setAttempt(attempt + 1);
    void retry();
  };
  const reason = readStatus(error) === undefined || errorMessage === undefined ? describeNetworkError() : errorMessage;
  return (
    <div role="alert" className={classes.note}>
      <Text mb="md">{error === null ? `${SLOW_REQUEST} You can wait, or try again.` : reason}</Text>
      <RetryButton onClick={handleRetry} />
    </div>
  );
}
