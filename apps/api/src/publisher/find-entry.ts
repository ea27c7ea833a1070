import { sql, type Kysely } from 'kysely';
import { findState, type OwnedState } from '../agents/find-owned.ts';
import { toUnlisted, type UnlistedAgent } from '../agents/unlisted-agents.ts';
import { isUnclaimed } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import { RegistryError } from '../registry-error.ts';
import { findKey, hashName } from '../servers/name-rows.ts';
import { readPublications, type Publication } from '../servers/publications.ts';
import { isCalled } from '../servers/server-store.ts';

/** An entry that the publisher of its name may change: it has no management key, and the operator has not taken it down. */
export type PublisherEntry = { id: string; publication: Publication | undefined } & (
  | { owned: OwnedState; withdrawn?: never }
  /** Withdrawn by its publisher, or with its source. */
  | { owned?: never; withdrawn: UnlistedAgent & { seq: number } }
);

const HAS_KEY =
  'This entry has a management key, with which agent-registry publish changes it. Without the key: agent-registry claim';

/**
 * Finds the entry of a name for its publisher; undefined if there is none.
 * @throws {RegistryError} `conflict` if it has a management key, `forbidden` if the operator has taken it down
 */
export async function findEntry(db: Kysely<Tables>, name: string): Promise<PublisherEntry | undefined> {
  const id = await findAgentId(db, name);
  if (id === undefined) return undefined;
  const publication = (await readPublications(db, [id])).get(id);
  const owned = await findState(db, id);
  if (typeof owned !== 'string') {
    if (owned.stored.keyHash !== undefined) throw new RegistryError('conflict', HAS_KEY);
    return { id, publication, owned };
  }
  const row = await db.selectFrom('unlisted_agents').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row || row.agent === null || row.seq === null) return undefined;
  const withdrawn = { ...toUnlisted(row), seq: row.seq };
  if (withdrawn.keyHash !== undefined) throw new RegistryError('conflict', HAS_KEY);
  const isTakenDown = row.state !== 'withdrawn' || (await isRemovedByOperator(db, id));
  if (isTakenDown) throw new RegistryError('forbidden', 'The operator of this registry has taken this entry down');
  return { id, publication, withdrawn };
}

/** The agent that was published under a name, that has it as a server, or that a source describes under it. */
async function findAgentId(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const isName = sql<boolean>`lower(name) = ${name.toLowerCase()}`;
  const published = await db.selectFrom('publications').select('agent_id').where(isName).executeTakeFirst();
  if (published) return published.agent_id;
  const named = await db
    .selectFrom('server_names')
    .select('agent_id')
    .where(isCalled(name))
    .where('given_up_at', 'is', null)
    .executeTakeFirst();
  if (named?.agent_id) return named.agent_id;
  const given = await db
    .selectFrom('server_documents')
    .innerJoin('agents', 'agents.id', 'agent_id')
    .select('agent_id')
    .where(sql<boolean>`lower(server_documents.name) = ${name.toLowerCase()}`)
    .where('is_latest', '=', sql.lit(1))
    .where(isUnclaimed)
    .orderBy('kept_at')
    .limit(1)
    .executeTakeFirst();
  return given?.agent_id;
}

async function isRemovedByOperator(db: Kysely<Tables>, id: string): Promise<boolean> {
  const latest = await db
    .selectFrom('agent_changes')
    .select('actor')
    .where('agent_id', '=', id)
    .where('is_latest', '=', sql.lit(1))
    .executeTakeFirst();
  return latest?.actor === 'operator';
}

/** Whether an agent with this name was erased, of which only a hash is left. */
export async function isErased(db: Kysely<Tables>, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('server_names')
    .select('name')
    .where('hash', '=', hashName((await findKey(db)) ?? '', name))
    .executeTakeFirst();
  return row?.name === null;
}
