import { setTimeout } from 'node:timers/promises';
import { forgetActions } from '../actions/record-of-actions.ts';
import { forgetChanges } from '../changes/forget-changes.ts';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { forgetFigures } from '../figures/daily-figures.ts';
import { forgetEvents } from '../webhook/operator-events.ts';
import { forgetDecided } from '../review/proposals.ts';
import { forgetViews } from '../stats/agent-views.ts';
import { forgetSources } from '../sync/agent-sources.ts';
import { deleteExpiredKeys } from './registration-keys.ts';
import { forgetWithdrawn } from './unlisted-agents.ts';

/** How often expired data is deleted, in milliseconds. */
const EXPIRY_INTERVAL = 600_000;

/**
 * Deletes expired idempotency keys and forgets old changes, old actions and events of the operator, old views and daily figures,
 * decided proposals, and agents that were withdrawn long ago, now and every ten minutes, in the background.
 * @param onError called with the error of a deletion, which is tried again the next time
 * @returns a function that ends this and waits for a deletion that is under way
 */
export function startExpiry(db: Kysely<Tables>, onError: (error: unknown) => void): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  const expiring = expire();
  return async () => {
    closing.abort();
    await expiring;
  };

  async function expire(): Promise<void> {
    while (!signal.aborted) {
      await deleteAll().catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
      await setTimeout(EXPIRY_INTERVAL, undefined, { ref: false, signal }).catch(() => {});
    }
  }

  async function deleteAll(): Promise<void> {
    await deleteExpiredKeys(db, Date.now(), signal);
    await forgetWithdrawn(db, Date.now());
    await forgetDecided(db, Date.now());
    await forgetChanges(db, Date.now(), signal);
    await forgetActions(db, Date.now());
    await forgetEvents(db, Date.now());
    await forgetViews(db, Date.now());
    await forgetFigures(db, Date.now());
    await forgetSources(db);
  }
}
