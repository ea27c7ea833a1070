import { useEffect, useState } from 'react';

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
