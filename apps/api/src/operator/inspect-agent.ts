import type { Kysely } from 'kysely';
import { toRecord } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import { readProposals, type Proposal } from '../agents/proposals.ts';
import { fingerprintOf } from './change-in-bulk.ts';
import { readReports } from '../agents/reports.ts';
import { findSharing } from '../agents/text-keys.ts';
import { selectAgents, type SelectedAgent } from '../agents/select-agents.ts';
import { readPinned, readSourcesOf } from './agent-sources.ts';

/** An agent in any state, with all that the registry knows of it. */
export type InspectedAgent = NonNullable<Awaited<ReturnType<typeof inspectAgent>>>;

/** Reads an agent in any state with its proposal, reports and history; undefined if it is not known, or forgotten. */
export async function inspectAgent(db: Kysely<Tables>, id: string) {
  const { value: entry } = await selectAgents(db, { ids: new Set([id]) }).next();
  if (!entry) return undefined;
  const { agent, state, since, reason, keyHash } = entry;
  const [proposal] = await readProposals(db, [id]);
  const [reported] = await readReports(db, [id]);
  const history = await db
    .selectFrom('agent_changes')
    .selectAll()
    .where('agent_id', '=', id)
    .orderBy('number')
    .execute();
  return {
    agent,
    state,
    since,
    reason,
    hasKey: keyHash !== undefined,
    proposal,
    /** The fingerprint of what waits for review; undefined if nothing does. */
    seen: toSeen(entry, proposal),
    reports: reported?.reports ?? [],
    /** Earlier entries with one of its connections, or of those that are proposed. */
    sharing: await findSharing(db, { ...agent, ...(proposal?.state === 'waiting' && proposal.patch) }),
    /** The entries of sources that it came from, the origin of its texts first. */
    sources: await readSourcesOf(db, id),
    pinned: [...((await readPinned(db, [id])).get(id) ?? [])],
    /** Its changes with all values, oldest first. */
    history: history.map((row) => toRecord('change', row)),
  };
}

function toSeen({ agent, state }: SelectedAgent, proposal: Proposal | undefined) {
  if (state === 'held') return fingerprintOf(agent);
  return state === 'listed' && proposal?.state === 'waiting' ? fingerprintOf(agent, proposal.patch) : undefined;
}
