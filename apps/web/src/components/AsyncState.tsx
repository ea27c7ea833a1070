import { Button, Text } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { describeNetworkError, readStatus } from '../api/trpc.ts';
import classes from './AsyncState.module.css';
import { focusContainer } from './focus-container.ts';

type AsyncStateProps = {
  /** Why the request failed; null while it is pending. */
  error: unknown;
  /** The message if the registry responded with an error; by default that of a network error. */
  errorMessage?: string;
  retry: () => unknown;
  children?: ReactNode;
};

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

/** It disappears when pressed, so it moves the focus to its container. */
export function RetryButton({ onClick }: { onClick: () => void }) {
  return (
    <Button
      variant="default"
      onClick={(event) => {
        focusContainer(event);
        onClick();
      }}
    >
      Try again
    </Button>
  );
}

/** When a request counts as slow, in milliseconds. */
const SLOW_AFTER = 10_000;
export const SLOW_REQUEST = 'The registry is taking long to answer.';

/** Whether a request has been pending for 10 s; a new attempt starts the clock again. */
export function useSlowRequest(isPending: boolean, attempt = 0): boolean {
  const [slowAttempt, setSlowAttempt] = useState<number>();
  useEffect(() => {
    if (!isPending) return;
    const timer = window.setTimeout(() => setSlowAttempt(attempt), SLOW_AFTER);
    return () => {
      window.clearTimeout(timer);
      setSlowAttempt(undefined);
    };
  }, [isPending, attempt]);
  return isPending && slowAttempt === attempt;
}
