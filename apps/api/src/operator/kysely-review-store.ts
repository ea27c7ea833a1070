import type { AgentPatch } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Acting } from '../actions/operator-action.ts';
import { writeAgentsAgain, toStored, type StoredAgent } from '../agents/agent-rows.ts';
import { createMatcher, type AgentSelection } from '../agents/agent-selection.ts';
import { editListed } from '../agents/edit-agent.ts';
import { changeInBulk, collectSeqs, selectUnlisted, selectVisible } from '../agents/select-agents.ts';
import { removeListed, removeUnlisted, reviewUnlisted, writeUnlisted } from '../agents/unlisted-agents.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import {
  fieldsOf,
  pick,
  readProposals,
  streamProposals,
  toProposedVersion,
  writeProposal,
  type Proposal,
} from '../agents/proposals.ts';
import type { ProposedAgent, ReviewStore } from './review-store.ts';

/** A listed agent with a proposal. */
type Reviewed = { stored: StoredAgent; proposal: Proposal };

/**
 * Creates the review store over a database.
 * @param acting who decides, for the record of actions
 */
export function createReviewStore(engine: Engine, acting?: Acting): ReviewStore {
  const { db } = engine;

  return {
    async release(selection) {
      const seqs = await collectWaiting(db, selection);
      const at = new Date().toISOString();
      return changeInBulk({ engine, acting, seen: selection.seen }, seqs, async (transaction, chunk) => {
        const held = await removeUnlisted(transaction, chunk, 'held');
        await writeAgentsAgain(engine, transaction, held, { actor: 'operator', listedAt: at });
        const proposed = await readReviewed(transaction, without(chunk, held), 'waiting');
        for (const { stored, proposal } of proposed) {
          const former = pick(stored.agent, fieldsOf(proposal.patch));
          await editListed(engine, transaction, stored, proposal.patch, { actor: 'owner', now: Date.parse(at) });
          await writeProposal(transaction, { ...proposal, state: 'released', since: at, former });
        }
        return [...held, ...proposed.map(({ stored }) => stored)];
      });
    },

    async refuse(selection, reason) {
      const seqs = await collectWaiting(db, selection);
      const since = new Date().toISOString();
      return changeInBulk({ engine, acting, seen: selection.seen }, seqs, async (transaction, chunk) => {
        const held = await reviewUnlisted(transaction, chunk, { from: 'held', to: 'refused', reason, since });
        const proposed = await readReviewed(transaction, without(chunk, held), 'waiting');
        for (const { proposal } of proposed) {
          await writeProposal(transaction, { ...proposal, state: 'refused', since, reason });
        }
        return [...held, ...proposed.map(({ stored }) => stored)];
      });
    },

    async hold(selection) {
      const seqs = await collectSeqs([selectVisible(db, selection), selectUnlisted(db, selection, 'refused')]);
      const since = new Date().toISOString();
      return changeInBulk({ engine, acting, seen: selection.seen }, seqs, async (transaction, chunk) => {
        const refused = await reviewUnlisted(transaction, chunk, { from: 'refused', to: 'held', reason: '', since });
        const reviewed = await readReviewed(transaction, without(chunk, refused));
        const decided = reviewed.filter(({ proposal }) => proposal.state !== 'waiting');
        for (const { stored, proposal } of decided) {
          const former = unchangedSince(stored, proposal);
          if (fieldsOf(former).length > 0) {
            await editListed(engine, transaction, stored, former, { actor: 'operator', now: Date.parse(since) });
          }
          await writeProposal(transaction, { ...proposal, state: 'waiting', since, former: undefined, reason: '' });
        }
        const known = [...refused, ...reviewed.map(({ stored }) => stored)];
        const unlisted = await removeListed(engine, transaction, without(chunk, known), 'operator');
        await writeUnlisted(transaction, unlisted, { state: 'held', reason: '', since });
        return [...refused, ...decided.map(({ stored }) => stored), ...unlisted];
      });
    },

    async countProposed() {
      const { agents } = await db
        .selectFrom('proposed_versions')
        .innerJoin('agents', 'agents.id', 'agent_id')
        .select((select) => select.fn.countAll<number>().as('agents'))
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow();
      return agents;
    },

    streamProposed: (selection, state) => streamProposed(db, selection, state),
  };
}

async function* streamProposed(
  db: Kysely<Tables>,
  selection: AgentSelection = {},
  state?: Proposal['state'],
): AsyncGenerator<ProposedAgent, void, undefined> {
  for await (const { stored, proposal } of selectReviewed(db, selection, state)) {
    yield { agent: stored.agent, proposed: toProposedVersion(stored.agent, proposal), proposal };
  }
}

/** Selects the held agents, and the listed ones with changes that wait. */
function collectWaiting(db: Kysely<Tables>, selection: AgentSelection): Promise<number[]> {
  async function* selectProposed() {
    for await (const { stored } of selectReviewed(db, selection, 'waiting')) yield stored;
  }
  return collectSeqs([selectUnlisted(db, selection, 'held'), selectProposed()]);
}

async function* selectReviewed(
  db: Kysely<Tables>,
  selection: AgentSelection,
  state?: Proposal['state'],
): AsyncGenerator<Reviewed, void, undefined> {
  const matches = createMatcher(selection);
  for await (const proposals of streamProposals(db, state)) {
    for (const reviewed of await joinAgents(db, proposals)) {
      const { stored, proposal } = reviewed;
      if (matches(stored.agent) || matches(toProposedVersion(stored.agent, proposal))) yield reviewed;
    }
  }
}

/** Reads listed agents that have a proposal, of one state or any, by their row numbers. */
async function readReviewed(
  db: Kysely<Tables>,
  seqs: readonly number[],
  state?: Proposal['state'],
): Promise<Reviewed[]> {
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

/** Joins proposals with their listed agents, in the order of these. */
async function joinAgents(db: Kysely<Tables>, proposals: readonly Proposal[]): Promise<Reviewed[]> {
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

/** The former values of the released fields that nobody has changed since. */
function unchangedSince({ agent }: StoredAgent, { patch, former = {} }: Proposal): AgentPatch {
  const released = pick(agent, fieldsOf(former));
  const fields = fieldsOf(former).filter((field) => JSON.stringify(released[field]) === JSON.stringify(patch[field]));
  return pick(former, fields);
}

function without(seqs: readonly number[], agents: readonly StoredAgent[]): number[] {
  const others = new Set(agents.map(({ seq }) => seq));
  return seqs.filter((seq) => !others.has(seq));
}
