import type { Agent, AgentPatch } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { toStored, type StoredAgent } from '../agents/agent-rows.ts';
import { readProposals, streamProposals, toProposedVersion, type Proposal } from '../agents/proposals.ts';
import { collectSeqs, createMatcher, selectAgents, type AgentSelection } from '../agents/select-agents.ts';
import { textsOf, type OfferRecord } from '../connection-checks/offers.ts';
import { toRecord } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import { fingerprintOf, fingerprintOfOffers, isMeant } from './change-in-bulk.ts';

type WithProposal = { stored: StoredAgent; proposal: Proposal };

export type Reviewed = {
  /** `read` for texts that a check read of its connections. */
  kind: 'new' | 'edit' | 'read';
  /** The agent as it is listed; a new one as it was registered. */
  agent: Agent;
  /** The fields that the edit changes, with their new values; empty for a new agent. */
  patch: AgentPatch;
  /** The texts that were read; empty for others. */
  texts: string[];
  /** The time of the registration, the edit or the refusal: ISO 8601 in UTC. */
  since: string;
  reason: string;
  seen: string;
};

export type WithOffers = { stored: StoredAgent; offers: OfferRecord[] };

/** Streams what waits for review or was refused: first the new agents, then the edits. */
export async function* streamReviewed(
  db: Kysely<Tables>,
  state: 'held' | 'refused',
  selection: AgentSelection = {},
): AsyncGenerator<Reviewed, void, undefined> {
  for await (const { agent, since = '', reason = '' } of selectAgents(db, selection, [state])) {
    yield { kind: 'new', agent, patch: {}, texts: [], since, reason, seen: fingerprintOf(agent) };
  }
  const edits = selectProposed(db, selection, state === 'held' ? 'waiting' : 'refused');
  for await (const { stored, proposal } of edits) {
    const { agent } = stored;
    const { patch, since, reason } = proposal;
    yield { kind: 'edit', agent, patch, texts: [], since, reason, seen: fingerprintOf(agent, patch) };
  }
  const matches = createMatcher(selection);
  for (const { stored, offers } of await readOffered(db, [state === 'held' ? 'waiting' : 'refused'])) {
    const { agent } = stored;
    if (!matches(agent)) continue;
    const texts = offers.flatMap(({ offer }) => textsOf(offer)).filter((text) => text !== '');
    const since = offers[0]?.readAt ?? '';
    yield { kind: 'read', agent, patch: {}, texts, since, reason: '', seen: fingerprintOfOffers(offers) };
  }
}

export async function collectWaiting(db: Kysely<Tables>, selection: AgentSelection): Promise<number[]> {
  const seqs = await collectSeqs(selectAgents(db, selection, ['held']));
  for await (const { stored } of selectProposed(db, selection, 'waiting')) seqs.push(stored.seq);
  const matches = createMatcher(selection);
  for (const { stored } of await readOffered(db, ['waiting'])) if (matches(stored.agent)) seqs.push(stored.seq);
  return [...new Set(seqs)];
}

/** Reads what waits of listed agents, by their row numbers: their edits, and texts that were read, as they were seen. */
export async function readWaiting(
  db: Kysely<Tables>,
  seqs: readonly number[],
  { seen }: AgentSelection,
): Promise<{ proposed: WithProposal[]; read: WithOffers[] }> {
  const proposed = await readReviewed(db, seqs, 'waiting');
  const read = await readOffered(db, ['waiting'], seqs);
  return {
    proposed: proposed.filter(({ stored: { agent }, proposal }) =>
      isMeant(seen, agent.id, fingerprintOf(agent, proposal.patch)),
    ),
    read: read.filter(({ stored: { agent }, offers }) => isMeant(seen, agent.id, fingerprintOfOffers(offers))),
  };
}

/** Reads listed agents with offers whose texts are in a state of review: of these row numbers, or all. */
export async function readOffered(
  db: Kysely<Tables>,
  reviews: readonly NonNullable<OfferRecord['review']>[],
  seqs?: readonly number[],
): Promise<WithOffers[]> {
  const reviewed = db.selectFrom('connection_offers').where('review', 'in', reviews);
  const rows = await db
    .selectFrom('agents')
    .selectAll()
    .where('id', 'in', reviewed.select('agent_id'))
    .$if(seqs !== undefined, (query) => query.where('seq', 'in', seqs as number[]))
    .orderBy('seq')
    .execute();
  const offers = (await reviewed.selectAll().orderBy('address').execute()).map((row) => toRecord('offer', row));
  const byAgent = Map.groupBy(offers, ({ agentId }) => agentId);
  return rows.map((row) => ({ stored: toStored(row), offers: byAgent.get(row.id) ?? [] }));
}

/** Selects listed agents with changes of a state; the conditions may hold for either version. */
async function* selectProposed(
  db: Kysely<Tables>,
  selection: AgentSelection,
  state: Proposal['state'],
): AsyncGenerator<WithProposal, void, undefined> {
  const matches = createMatcher(selection);
  for await (const proposals of streamProposals(db, state)) {
    for (const found of await joinAgents(db, proposals)) {
      const { stored, proposal } = found;
      if (matches(stored.agent) || matches(toProposedVersion(stored.agent, proposal))) yield found;
    }
  }
}

/** Reads listed agents that have a proposal, of one state or any, by their row numbers. */
export async function readReviewed(
  db: Kysely<Tables>,
  seqs: readonly number[],
  state?: Proposal['state'],
): Promise<WithProposal[]> {
  if (seqs.length === 0) return [];
  const rows = await db.selectFrom('agents').select('id').where('seq', 'in', seqs).orderBy('seq').execute();
  const proposals = await readProposals(
    db,
    rows.map(({ id }) => id),
  );
  return joinAgents(
    db,
    proposals.filter((proposal) => state === undefined || proposal.state === state),
  );
}

async function joinAgents(db: Kysely<Tables>, proposals: readonly Proposal[]): Promise<WithProposal[]> {
  if (proposals.length === 0) return [];
  const byId = new Map(proposals.map((proposal) => [proposal.agentId, proposal]));
  const rows = await db
    .selectFrom('agents')
    .selectAll()
    .where('id', 'in', [...byId.keys()])
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ stored: toStored(row), proposal: byId.get(row.id) as Proposal }));
}
