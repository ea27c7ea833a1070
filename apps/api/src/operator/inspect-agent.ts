import type { EditableField, Report, Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { FieldsOf } from '../db/record-kinds.ts';
import { toRecord } from '../db/records.ts';
import type { UnlistedState } from '../db/states.ts';
import type { Tables } from '../db/tables.ts';
import { readProposals, type Proposal } from '../agents/proposals.ts';
import { fingerprintOf } from './change-in-bulk.ts';
import { toStored } from '../agents/agent-rows.ts';
import { readReports } from '../agents/reports.ts';
import { readPinned, readSourcesOf, type AgentSource } from './agent-sources.ts';
import { toUnlisted } from '../agents/unlisted-agents.ts';

/** An agent in any state, with all that the registry knows of it. */
export type InspectedAgent = {
  agent: Agent;
  state: 'listed' | UnlistedState;
  /** The time of being hidden, held, refused or withdrawn: ISO 8601 in UTC; undefined if it is listed. */
  since?: string | undefined;
  /** Why it is hidden or was refused; undefined or empty in other states. */
  reason?: string | undefined;
  /** Whether it has a management key. */
  hasKey: boolean;
  /** Changes by its owner that wait for review, or were reviewed in the last 90 days. */
  proposal?: Proposal | undefined;
  /** The fingerprint of what waits for review; undefined if nothing does. */
  seen?: string | undefined;
  reports: Report[];
  /** The entries of sources that it came from, the origin of its texts first. */
  sources: AgentSource[];
  /** The fields that no synchronisation changes. */
  pinned: EditableField[];
  /** Its changes with all values, oldest first. */
  history: FieldsOf<'change'>[];
};

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
