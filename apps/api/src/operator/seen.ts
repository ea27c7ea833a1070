import { createHash } from 'node:crypto';
import type { Agent, AgentPatch } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { chunksOf } from '../db/walk.ts';
import { toStored } from '../agents/agent-rows.ts';
import type { Seen } from '../agents/agent-selection.ts';
import { toUnlisted } from '../agents/unlisted-agents.ts';
import type { Tables } from '../db/tables.ts';
import { RegistryError } from '../registry-error.ts';
import { readProposals } from '../agents/proposals.ts';

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

/**
 * Checks that agents wait for review as they were seen, as part of the transaction that decides on them.
 * @throws {RegistryError} when one of them has changed since.
 */
export async function assertSeen(transaction: Kysely<Tables>, seen: Seen): Promise<void> {
  const current = new Map<string, string>();
  for (const ids of chunksOf([...seen.keys()])) {
    for await (const [id, fingerprint] of readFingerprints(transaction, ids)) current.set(id, fingerprint);
  }
  const changed = [...seen].filter(([id, fingerprint]) => current.get(id) !== fingerprint);
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
}
