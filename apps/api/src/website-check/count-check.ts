import { setTimeout } from 'node:timers/promises';
import { describeWait } from '../rate-limit/check-usages.ts';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { RegistryError } from '../registry-error.ts';

const HOUR = 3_600_000;

/** Counts a check in the store that all processes share; rejects with a `RegistryError` beyond a limit. */
export function countCheck(
  store: RateLimitStore,
  { agentId, site, client }: { agentId: string; site: string; client: string },
): Promise<void> {
  // The limits of the client first, so that a refused client does not use up that of all.
  return countWithin(store, [
    {
      key: `website-check agent ${agentId} ${client}`,
      limit: 5,
      window: 24 * HOUR,
      counted: 'Your address asked for 5 checks of this website within a day',
    },
    {
      key: `website-check host ${site} ${client}`,
      limit: 20,
      window: HOUR,
      counted: `Your address asked for 20 checks of ${site} within an hour`,
    },
    {
      key: 'website-check all',
      limit: 600,
      window: HOUR,
      counted: 'All clients together asked for 600 checks of websites within an hour',
    },
  ]);
}

type FetchLimit = {
  key: string;
  limit: number;
  /** In milliseconds. */
  window: number;
  /** The reason of a refusal, as a sentence without its full stop. */
  counted: string;
};

/** Counts a fetch of a website against limits, in their order; rejects with a `RegistryError` beyond one. */
export async function countWithin(store: RateLimitStore, limits: readonly FetchLimit[]): Promise<void> {
  for (const { key, limit, window, counted } of limits) {
    const { used, resetsIn } = await store.increment(key, limit, window);
    if (used > limit) throw tooManyChecks(counted, resetsIn);
  }
}

/** Waits until a service for repositories may be asked: once a second, by all processes together. */
export async function awaitTurn(store: RateLimitStore, service: string): Promise<void> {
  for (;;) {
    const { used, resetsIn } = await store.increment(`repositories ${service}`, 1, 1_000);
    if (used === 1) return;
    await setTimeout(resetsIn);
  }
}

/** @param counted the reason, as a sentence without its full stop @param wait in milliseconds */
export function tooManyChecks(counted: string, wait: number): RegistryError {
  const seconds = Math.max(1, Math.ceil(wait / 1_000));
  return new RegistryError('too-many', `${counted}. Try again in ${describeWait(seconds)}`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
