import type { Kysely } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

/** Has the index of tokens merge its pieces little by little, where it did so seldom, and then held up who registered. */
export async function mergeSteadily(db: Kysely<Tables>, { tokens }: Engine): Promise<void> {
  await tokens.configure(db);
}
