import type { Kysely } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import type { Authority, OwnedVersion, Refusal } from './agent-store.ts';
import { isExpected } from './expected-version.ts';
import { findOwnedState, toOwnVersion, type OwnedState } from './find-owned.ts';
import { isKeyOf } from './management-keys.ts';

/**
 * Changes an agent with its key in a transaction, unless its conditions no longer hold there. Also an agent that waits for
 * its release, or was refused.
 */
export async function changeOwned(
  engine: Engine,
  id: string,
  { key, expected }: Authority,
  write: (transaction: Kysely<Tables>, owned: OwnedState) => Promise<OwnedVersion>,
): Promise<OwnedVersion | Refusal> {
  // Checked first without a transaction, so that calls that are refused do not delay other writers.
  const refusal = check(await findOwnedState(engine.db, id));
  if (refusal !== undefined) return refusal;
  return engine.db.transaction().execute(async (transaction) => {
    await engine.lockWrites(transaction);
    const owned = await findOwnedState(transaction, id);
    const refusalNow = check(owned);
    if (typeof owned === 'string' || refusalNow !== undefined) return refusalNow ?? 'unknown';
    return write(transaction, owned);
  });

  function check(owned: OwnedState | 'unknown' | 'withdrawn'): Refusal | undefined {
    if (typeof owned === 'string') return owned;
    // To everybody else there is no such agent yet.
    if (!isKeyOf(key, owned.stored.keyHash)) return owned.state === 'listed' ? 'unauthorized' : 'unknown';
    return isExpected(toOwnVersion(owned), expected) ? undefined : 'unexpected';
  }
}
