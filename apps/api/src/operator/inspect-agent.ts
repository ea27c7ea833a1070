import type { Kysely } from 'kysely';
import { readRecordsOf } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import { readProposals, type Proposal } from '../agents/proposals.ts';
import { fingerprintOf } from './change-in-bulk.ts';
import { readReports } from '../agents/reports.ts';
import { findSharing } from '../agents/text-keys.ts';
import { selectAgents, type SelectedAgent } from '../agents/select-agents.ts';
import { readPublications } from '../publisher/publications.ts';
import { readPinned, readSourcesOf } from './agent-sources.ts';

export type InspectedAgent = NonNullable<Awaited<ReturnType<typeof inspectAgent>>>;

export async function inspectAgent(db: Kysely<Tables>, id: string) {
  const { value: entry } = await selectAgents(db, { ids: new Set([id]) }).next();
  if (!entry) return undefined;
  const { agent, state, since, reason, keyHash } = entry;
  const [proposal] = await readProposals(db, [id]);
  const [reported] = await readReports(db, [id]);
  const history = await readRecordsOf(db, 'change', [id]);
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
    sources: await readSourcesOf(db, id),
    publication: (await readPublications(db, [id])).get(id),
    pinned: [...((await readPinned(db, [id])).get(id) ?? [])],
    /** Its changes with all values, oldest first. */
    history: history.toSorted((one, other) => one.number - other.number),
  };
}

function toSeen({ agent, state }: SelectedAgent, proposal: Proposal | undefined) {
  if (state === 'held') return fingerprintOf(agent);
  return state === 'listed' && proposal?.state === 'waiting' ? fingerprintOf(agent, proposal.patch) : undefined;
}
