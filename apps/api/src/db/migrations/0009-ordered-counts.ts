import type { Kysely } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

/**
 * Two transactions with agents of several categories counted them at their commits in the order of the agents, and could
 * each hold the count that the other waited for: after a second PostgreSQL ended one of them.
 */
export async function orderCounts(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await engine.orderCounts?.(db);
}
