import { useEffect, useState } from 'react';

/** How long a visitor waits without a word, in milliseconds. */
const PATIENCE = 10_000;

/** What is said when that is over. */
export const SLOW_REQUEST = 'The registry is taking long to answer.';

/** Whether something is waited for longer than a visitor is to wait without a word; with another attempt it begins anew. */
export function useSlowRequest(isWaiting: boolean, attempt = 0): boolean {
  const [lateAttempt, setLateAttempt] = useState<number>();
  useEffect(() => {
    if (!isWaiting) return;
    const timer = window.setTimeout(() => setLateAttempt(attempt), PATIENCE);
    return () => {
      window.clearTimeout(timer);
      setLateAttempt(undefined);
    };
  }, [isWaiting, attempt]);
  return isWaiting && lateAttempt === attempt;
}
