import { useSyncExternalStore } from 'react';

const subscribe = () => () => {};

/** Whether scripts run: false on the server, and while the page is hydrated. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
