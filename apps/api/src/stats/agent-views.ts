import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** How long the views of an agent are kept, in milliseconds. */
const KEPT_TIME = 400 * 86_400_000;

/** Forgets the views of agents that are too old. */
export async function forgetViews(db: Kysely<Tables>, time: number): Promise<void> {
  const before = new Date(time - KEPT_TIME).toISOString().slice(0, 10);
  await db.deleteFrom('agent_views').where('day', '<', before).execute();
}
