import type { Kysely } from 'kysely';
import { toRecord } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import { readProposals, type Proposal } from '../agents/proposals.ts';
import { fingerprintOf } from './seen.ts';
import { toStored } from '../agents/agent-rows.ts';
import type { InspectedAgent } from './operator-store.ts';
import { readReports } from '../agents/reports.ts';
import { readPinned, readSourcesOf } from '../sync/agent-sources.ts';
import { toUnlisted } from '../agents/unlisted-agents.ts';

/** Reads an agent in any state with its proposal, reports and history; undefined if it is not known, or forgotten. */
export async function inspectAgent(db: Kysely<Tables>, id: string): Promise<InspectedAgent | undefined> {
  const entry = await readEntry(db, id);
  if (!entry) return undefined;
  const [proposal] = await readProposals(db, [id]);
  const [reported] = await readReports(db, [id]);
  return {
    ...entry,
    proposal,
    seen: toSeen(entry, proposal),
    reports: reported?.reports ?? [],
    sources: await readSourcesOf(db, id),
    pinned: [...((await readPinned(db, [id])).get(id) ?? [])],
    history: (
      await db.selectFrom('agent_changes').selectAll().where('agent_id', '=', id).orderBy('number').execute()
    ).map((row) => toRecord('change', row)),
  };
}

function toSeen({ agent, state }: Pick<InspectedAgent, 'agent' | 'state'>, proposal: Proposal | undefined) {
  if (state === 'held') return fingerprintOf(agent);
  return state === 'listed' && proposal?.state === 'waiting' ? fingerprintOf(agent, proposal.patch) : undefined;
}

async function readEntry(
  db: Kysely<Tables>,
  id: string,
): Promise<Pick<InspectedAgent, 'agent' | 'state' | 'since' | 'reason' | 'hasKey'> | undefined> {
  const listed = await db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
  if (listed) {
    const { agent, keyHash } = toStored(listed);
    return { agent, state: 'listed', hasKey: keyHash !== undefined };
  }
  const row = await db.selectFrom('unlisted_agents').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row || row.agent === null) return undefined;
  const { agent, state, since, reason, keyHash } = toUnlisted(row);
  return { agent, state, since, reason, hasKey: keyHash !== undefined };
}
