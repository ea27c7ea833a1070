import { useSyncExternalStore } from 'react';
import { useSite } from '../lib/site.ts';

/** Returns the day in UTC, such as `2026-11-23`. */
export function readToday(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The day in UTC; while a page is hydrated, the day on which it was rendered. */
export function useToday(): string {
  const { today } = useSite();
  return useSyncExternalStore(subscribe, readToday, () => today);
}

// A page that stays open overnight shows the day at its next render.
const subscribe = () => () => {};
