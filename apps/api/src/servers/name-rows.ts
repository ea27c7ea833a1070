import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** A name that an agent may get. */
export type WantedName = { agentId: string; name: string };

/** Gives names to agents, which give up their present ones. */
export async function assignNames(
  transaction: Kysely<Tables>,
  names: readonly (WantedName & { hash: string; isChosen?: boolean })[],
): Promise<void> {
  if (names.length === 0) return;
  const ids = names.map(({ agentId }) => agentId);
  await transaction
    .updateTable('server_names')
    .set({ given_up_at: new Date().toISOString() })
    .where('agent_id', 'in', ids)
    .where('given_up_at', 'is', null)
    .execute();
  await transaction
    .insertInto('server_names')
    .values(
      names.map(({ agentId, name, hash, isChosen }) => {
        return { name, hash, agent_id: agentId, is_chosen: isChosen ? 1 : null };
      }),
    )
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet((update) => ({
        agent_id: update.ref('excluded.agent_id'),
        name: update.ref('excluded.name'),
        is_chosen: update.ref('excluded.is_chosen'),
        given_up_at: null,
      })),
    )
    .execute();
}

/** Finds the key of the hashes; undefined before the first name. */
export async function findKey(db: Kysely<Tables>): Promise<string | undefined> {
  return (await db.selectFrom('server_name_key').select('value').orderBy('value').executeTakeFirst())?.value;
}

/** Reads the key of the hashes, and makes one for the first name. */
export async function readKey(transaction: Kysely<Tables>): Promise<string> {
  const known = await findKey(transaction);
  if (known !== undefined) return known;
  const value = randomBytes(32).toString('base64url');
  await transaction.insertInto('server_name_key').values({ value }).execute();
  return value;
}

/** The keyed hash of a name without letter case, which stays when the name is erased. */
export function hashName(key: string, name: string): string {
  return createHmac('sha256', key).update(name.toLowerCase()).digest('base64url');
}
