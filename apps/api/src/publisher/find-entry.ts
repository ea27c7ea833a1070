import { sql, type Kysely } from 'kysely';
import { toStored, type Registry, type StoredAgent } from '../agents/agent-rows.ts';
import { editListed } from '../agents/edit-agent.ts';
import { findState, type OwnedState } from '../agents/find-owned.ts';
import type { EditReview } from '../agents/owner-changes.ts';
import { toUnlisted } from '../agents/unlisted-agents.ts';
import { isUnclaimed } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import { relist } from '../operator/listings.ts';
import { RegistryError } from '../registry-error.ts';
import { findKey, hashName } from '../servers/name-rows.ts';
import { isCalled } from '../servers/server-store.ts';
import type { Publisher } from '../website-check/domain-keys.ts';
import { readPublications, type Publication } from './publications.ts';

/** Who publishers are in histories. */
export const ACTOR = 'website';

export type Publishing = {
  publisher: Publisher;
  sharedHosts: readonly string[];
  /** How edits are reviewed, and registrations; undefined if they are not. */
  review: EditReview | undefined;
  /** Why nothing can be registered; undefined if it can. */
  closed: string | undefined;
};

export type Writing = { registry: Registry; transaction: Kysely<Tables>; publishing: Publishing; now: number };

/** An entry that the publisher of its name may change: it has no management key, and the operator has not taken it down. */
export type PublisherEntry = {
  stored: StoredAgent;
  publication: Publication | undefined;
  /** Undefined if it was withdrawn, by its publisher or with its source. */
  owned: OwnedState | undefined;
};

/** The refusal of an entry that the operator has hidden, for example. */
export function takenDown(how: string): RegistryError {
  return new RegistryError('forbidden', `The operator of this registry has ${how} this entry`);
}

/**
 * Finds the entry of a name for its publisher; undefined if there is none.
 * @throws {RegistryError} `conflict` if it has a management key, `forbidden` if the operator has taken it down
 */
export async function findEntry(db: Kysely<Tables>, name: string): Promise<PublisherEntry | undefined> {
  const id = await findAgentId(db, name);
  if (id === undefined) return undefined;
  const state = await findState(db, id);
  const owned = typeof state === 'string' ? undefined : state;
  const stored = owned?.stored ?? (await findUnlisted(db, id));
  if (!stored) return undefined;
  if (stored.keyHash !== undefined) {
    throw new RegistryError(
      'conflict',
      'This entry has a management key, with which agent-registry publish changes it. Without the key: agent-registry claim',
    );
  }
  const isTakenDown = state === 'unknown' || (state === 'withdrawn' && (await isRemovedByOperator(db, id)));
  if (isTakenDown) throw takenDown('taken down');
  return { stored, publication: (await readPublications(db, [id])).get(id), owned };
}

/** The agent that was published under a name, that has it as a server, or that a source describes under it. */
async function findAgentId(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const isNamed = (column: string) => sql<boolean>`lower(${sql.ref(column)}) = ${name.toLowerCase()}`;
  const queries = [
    db.selectFrom('publications').select('agent_id').where(isNamed('name')),
    db.selectFrom('server_names').select('agent_id').where(isCalled(name)).where('given_up_at', 'is', null),
    db
      .selectFrom('server_documents')
      .innerJoin('agents', 'agents.id', 'agent_id')
      .select('agent_id')
      .where(isNamed('server_documents.name'))
      .where('is_latest', '=', sql.lit(1))
      .where(isUnclaimed)
      .orderBy('kept_at')
      .limit(1),
  ];
  for (const query of queries) {
    const row = await query.executeTakeFirst();
    if (row?.agent_id) return row.agent_id;
  }
  return undefined;
}

async function findUnlisted(db: Kysely<Tables>, id: string): Promise<StoredAgent | undefined> {
  const unlisted = db.selectFrom('unlisted_agents').selectAll().where('id', '=', id);
  const row = await unlisted.where('agent', 'is not', null).executeTakeFirst();
  return row && { ...toUnlisted(row), seq: row.seq as number };
}

/** Whether the operator has withdrawn an agent: of one that was never listed only the record of actions says so. */
async function isRemovedByOperator(db: Kysely<Tables>, id: string): Promise<boolean> {
  const changes = db.selectFrom('agent_changes').select('actor').where('agent_id', '=', id);
  const latest = await changes.where('is_latest', '=', sql.lit(1)).executeTakeFirst();
  if (latest) return latest.actor === 'operator';
  const actions = db.selectFrom('operator_actions').select('command').where('agent_id', '=', id);
  const acts = actions.where('command', 'in', ['withdraw', 'restore-agent']).orderBy('number', 'desc').limit(1);
  return (await acts.executeTakeFirst())?.command === 'withdraw';
}

/** Whether an agent with this name was erased, of which only a hash is left. */
export async function isErased(db: Kysely<Tables>, name: string): Promise<boolean> {
  const hash = hashName((await findKey(db)) ?? '', name);
  const row = await db.selectFrom('server_names').select('name').where('hash', '=', hash).executeTakeFirst();
  return row?.name === null;
}

/** Returns a withdrawn entry to the state in which it was. */
export async function bringBack(writing: Writing, { stored }: PublisherEntry): Promise<OwnedState> {
  const { registry, transaction, now } = writing;
  const since = new Date(now).toISOString();
  await relist(registry, transaction, [stored.seq], { state: 'withdrawn', since, actor: ACTOR });
  const owned = await findState(transaction, stored.agent.id);
  if (typeof owned === 'string') throw takenDown('hidden');
  return owned;
}

/** Notes a change of a listed agent that is none of its fields. */
export async function touch({ registry, transaction, now }: Writing, id: string): Promise<void> {
  const row = await transaction.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
  if (row) await editListed(registry, transaction, toStored(row), {}, { actor: ACTOR, now });
}
