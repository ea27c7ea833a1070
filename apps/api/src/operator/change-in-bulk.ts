import { createHash } from 'node:crypto';
import type { Agent, ChangeActor, AgentPatch } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { type Acting, recordAction } from '../actions/record-of-actions.ts';
import type { Seen } from '../agents/select-agents.ts';
import { tell, type Registry, type StoredAgent, toStored } from '../agents/agent-rows.ts';
import type { Tables } from '../db/tables.ts';
import { chunksOf, isUnclaimed } from '../db/records.ts';
import { toUnlisted } from '../agents/unlisted-agents.ts';
import { readOffers, textsOf, type OfferRecord } from '../connection-checks/offers.ts';
import { RegistryError } from '../registry-error.ts';
import { readProposals } from '../agents/proposals.ts';

export type NamedAgent = Pick<Agent, 'id' | 'name'>;
/** Who changes agents: an import changes only listed ones that nobody has claimed. */
export type BulkActor = Extract<ChangeActor, 'operator' | 'import'>;

type BulkChange = {
  registry: Registry;
  acting: Acting | undefined;
  /** Whether it erases the agents, so that their names are not recorded. */
  isErasure?: boolean;
  /** Whether an import makes it, which leaves the agents of owners alone; by default the operator does. */
  actor?: BulkActor;
  /** What was read of the agents, which must not have changed since. */
  seen?: Seen | undefined;
};

/**
 * Changes agents in chunks and records it, in one transaction during which other writers wait. Agents that begin to wait
 * for review are events: lists and edits are, by the change log. An agent that another
 * process has changed since it was collected is skipped; by an import, also one that is not listed, or has an owner.
 * @throws {RegistryError} when an agent is not as it was seen.
 */
export async function changeInBulk(
  { registry, acting, isErasure = false, actor = 'operator', seen }: BulkChange,
  seqs: readonly number[],
  change: (transaction: Kysely<Tables>, seqs: readonly number[]) => Promise<Pick<StoredAgent, 'agent'>[]>,
): Promise<NamedAgent[]> {
  const changed: NamedAgent[] = [];
  if (seqs.length === 0 && !seen) return changed;
  return registry.db.transaction().execute(async (transaction) => {
    await registry.lockWrites(transaction);
    if (seen) await assertSeen(transaction, seen);
    for (const chunk of chunksOf(seqs)) {
      const chosen = actor === 'import' ? await findUnclaimed(transaction, chunk) : chunk;
      if (chosen.length === 0) continue;
      const waiting = await findWaiting(transaction, chosen);
      const agents = await change(transaction, chosen);
      const held = [...(await findWaiting(transaction, chosen))].filter((id) => !waiting.has(id));
      await tell(registry, transaction, { type: 'held', agents: held.map((id) => ({ agent: { id } })) });
      for (const { agent } of agents) changed.push({ id: agent.id, name: agent.name });
    }
    await recordAction(transaction, acting, isErasure ? changed.map(({ id }) => ({ id })) : changed);
    return changed;
  });
}

async function findUnclaimed(transaction: Kysely<Tables>, seqs: readonly number[]): Promise<number[]> {
  const rows = await transaction
    .selectFrom('agents')
    .select('seq')
    .where('seq', 'in', seqs)
    .where(isUnclaimed)
    .execute();
  return rows.map(({ seq }) => seq);
}

/** Finds which agents with these row numbers wait for the operator: held ones, and listed ones with changes that wait. */
async function findWaiting(db: Kysely<Tables>, seqs: readonly number[]): Promise<Set<string>> {
  const held = await db
    .selectFrom('unlisted_agents')
    .select('id')
    .where('seq', 'in', seqs)
    .where('state', '=', 'held')
    .execute();
  const proposed = await db
    .selectFrom('proposed_versions')
    .innerJoin('agents', 'agents.id', 'agent_id')
    .select('agent_id as id')
    .where('seq', 'in', seqs)
    .where('state', '=', 'waiting')
    .execute();
  return new Set([...held, ...proposed].map(({ id }) => id));
}

/**
 * The fingerprint of what the operator decides on: another one after every change by the owner. It is without the figures
 * of the agent, which change without its owner.
 * @param patch the changes that wait; none for a new agent
 */
export function fingerprintOf(agent: Agent, patch: AgentPatch = {}): string {
  return createHash('sha256')
    .update(JSON.stringify([{ ...agent, rating: 0, reviewCount: 0 }, patch]))
    .digest('hex');
}

/** The fingerprint of texts that a check read of an agent. */
export function fingerprintOfOffers(offers: readonly OfferRecord[]): string {
  const read = offers.map(({ agentId, address, offer }) => [agentId, address, textsOf(offer)]);
  return createHash('sha256').update(JSON.stringify(read)).digest('hex');
}

/** Whether the operator decides on what has this fingerprint: an edit, or texts that were read. */
export function isMeant(seen: Seen | undefined, id: string, fingerprint: string): boolean {
  return seen?.has(id) !== true || seen.get(id) === fingerprint;
}

/** @throws {RegistryError} when an agent does not wait for review as it was seen */
async function assertSeen(transaction: Kysely<Tables>, seen: Seen): Promise<void> {
  // Of an agent, an edit and texts that were read may wait.
  const current = new Set<string>();
  for (const ids of chunksOf([...seen.keys()])) {
    for await (const known of readFingerprints(transaction, ids)) current.add(known.join(' '));
  }
  const changed = [...seen].filter((known) => !current.has(known.join(' ')));
  if (changed.length === 0) return;
  throw new RegistryError(
    'changed',
    changed.length === 1
      ? 'Nothing was changed: an entry is no longer as you saw it. Read it again'
      : `Nothing was changed: ${changed.length} entries are no longer as you saw them. Read them again`,
  );
}

async function* readFingerprints(
  db: Kysely<Tables>,
  ids: readonly string[],
): AsyncGenerator<[id: string, fingerprint: string], void, undefined> {
  const held = await db
    .selectFrom('unlisted_agents')
    .selectAll()
    .where('id', 'in', ids)
    .where('state', '=', 'held')
    .execute();
  for (const row of held) yield [row.id, fingerprintOf(toUnlisted(row).agent)];
  const proposals = new Map((await readProposals(db, ids)).map((proposal) => [proposal.agentId, proposal]));
  for (const row of await db.selectFrom('agents').selectAll().where('id', 'in', ids).execute()) {
    const proposal = proposals.get(row.id);
    if (proposal?.state === 'waiting') yield [row.id, fingerprintOf(toStored(row).agent, proposal.patch)];
  }
  const offers = (await readOffers(db, ids)).filter(({ review }) => review === 'waiting');
  for (const [id, own] of Map.groupBy(offers, ({ agentId }) => agentId)) yield [id, fingerprintOfOffers(own)];
}
