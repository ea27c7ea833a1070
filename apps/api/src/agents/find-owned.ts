import { hash, timingSafeEqual } from 'node:crypto';
import type { Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { toStored, type StoredAgent } from './agent-rows.ts';
import { findOpenProposal, toProposedVersion, type Proposal } from './proposals.ts';
import { toUnlisted } from './unlisted-agents.ts';
import { etagOf } from '../etag.ts';

/**
 * The version of an agent that a client wants to change: one with one of these ETags and none of the others (`*`: of no
 * agent that exists), or with this time of its last edit, empty for none.
 */
export type ExpectedVersion =
  | { etags: readonly string[] | undefined; otherEtags?: readonly string[] | '*' | undefined }
  | { updatedAt: string };

export type OwnedVersion = {
  agent: Agent;
  /** Whether it is another version than the listed one, or none is listed. */
  isHeld: boolean;
  /** Why the operator refused it; undefined if it was not refused. */
  refusal?: string;
};

export type Refusal = 'unknown' | 'withdrawn' | 'unauthorized' | 'unexpected';

/** An agent in a state in which its owner can change it. */
export type OwnedState = {
  stored: StoredAgent;
  state: 'listed' | 'held' | 'refused';
  /** Its changes that wait for review or were refused, if it is listed. */
  proposal?: Proposal | undefined;
  /** Why the agent was refused; empty in other states. */
  reason: string;
};

/** Finds an agent in a state in which the owner of a key can change it. */
export async function findOwnedState(db: Kysely<Tables>, id: string, key: string | undefined) {
  const owned = await findState(db, id);
  if (typeof owned === 'string' || isKeyOf(key, owned.stored.keyHash)) return owned;
  // To everybody else there is no such agent yet.
  return owned.state === 'listed' ? 'unauthorized' : 'unknown';
}

/** Finds an agent in a state in which its owner can change it, whoever that is. */
export async function findState(db: Kysely<Tables>, id: string): Promise<OwnedState | 'unknown' | 'withdrawn'> {
  const readListed = () => db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
  let listed = await readListed();
  const row = listed
    ? undefined
    : await db.selectFrom('unlisted_agents').selectAll().where('id', '=', id).executeTakeFirst();
  // An agent that is released between the two reads was in neither.
  if (!listed && !row) listed = await readListed();
  if (listed) {
    return { stored: toStored(listed), state: 'listed', proposal: await findOpenProposal(db, id), reason: '' };
  }
  if (row?.state === 'withdrawn') return 'withdrawn';
  if (row?.state !== 'held' && row?.state !== 'refused') return 'unknown';
  return { stored: { seq: row.seq as number, ...toUnlisted(row) }, state: row.state, reason: row.reason };
}

/** The agent as its owner sees it: with the proposed changes. */
export function toOwnVersion({ stored, proposal }: Pick<OwnedState, 'stored' | 'proposal'>): Agent {
  return toProposedVersion(stored.agent, proposal);
}

/** Finds an agent for its owner, with the changes that are not listed. */
export async function findOwned(db: Kysely<Tables>, id: string, key: string): Promise<OwnedVersion | Refusal> {
  const owned = await findOwnedState(db, id, key);
  if (typeof owned === 'string') return owned;
  const { state, proposal, reason } = owned;
  const isRefused = state === 'refused' || proposal?.state === 'refused';
  return {
    agent: toOwnVersion(owned),
    isHeld: state !== 'listed' || proposal !== undefined,
    ...(isRefused && { refusal: proposal?.reason ?? reason }),
  };
}

export async function hasKey(db: Kysely<Tables>, id: string, key: string): Promise<boolean> {
  const readHash = (table: 'agents' | 'unlisted_agents') =>
    db.selectFrom(table).select('key_hash').where('id', '=', id).executeTakeFirst();
  // An agent that is released between the first two reads was in neither.
  const row = (await readHash('agents')) ?? (await readHash('unlisted_agents')) ?? (await readHash('agents'));
  return isKeyOf(key, row?.key_hash ?? undefined);
}

/** The ids of those agents that wait for their release, or were refused. */
export async function findHeld(db: Kysely<Tables>, agents: readonly Agent[]): Promise<Set<string>> {
  const ids = agents.map(({ id }) => id);
  const unlisted = db.selectFrom('unlisted_agents').select('id').where('state', 'in', ['held', 'refused']);
  const rows = await unlisted.where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

export function hashKey(key: string): string {
  return hash('sha256', key);
}

/** The hash that keys are compared with where an agent has none; it is the hash of no text that is known. */
const NO_HASH = '0'.repeat(64);

/** Whether a key has a stored hash. The work is the same for every key, also if there is no key or no hash. */
function isKeyOf(key: string | undefined, keyHash: string | undefined): boolean {
  const isEqual = timingSafeEqual(Buffer.from(hashKey(key ?? '')), Buffer.from(keyHash ?? NO_HASH));
  return isEqual && key !== undefined && keyHash !== undefined;
}

export function isExpected(agent: Agent, expected: ExpectedVersion | undefined): boolean {
  if (expected === undefined) return true;
  if ('updatedAt' in expected) return expected.updatedAt === (agent.updatedAt ?? '');
  const { etags, otherEtags } = expected;
  // As the response cache makes it.
  const etag = etagOf(JSON.stringify(agent));
  return (etags?.includes(etag) ?? true) && otherEtags !== '*' && !otherEtags?.includes(etag);
}

export function toEtagHeader(agent: Agent): string {
  return `"${etagOf(JSON.stringify(agent))}"`;
}
