import type { Agent, AgentPatch } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Acting } from '../actions/record-of-actions.ts';
import { toStored, writeAgentsAgain, type Registry, type StoredAgent } from '../agents/agent-rows.ts';
import { createMatcher, type AgentSelection, collectSeqs, selectAgents } from '../agents/select-agents.ts';
import { editListed } from '../agents/edit-agent.ts';
import { moveUnlisted, removeListed, removeUnlisted, writeUnlisted } from '../agents/unlisted-agents.ts';
import { writeRecords } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import {
  fieldsOf,
  pick,
  readProposals,
  streamProposals,
  toProposedVersion,
  type Proposal,
} from '../agents/proposals.ts';
import { changeInBulk, fingerprintOf, type NamedAgent } from './change-in-bulk.ts';

type WithProposal = { stored: StoredAgent; proposal: Proposal };

export type Reviewed = {
  kind: 'new' | 'edit';
  /** The agent as it is listed; a new one as it was registered. */
  agent: Agent;
  /** The fields that the edit changes, with their new values; empty for a new agent. */
  patch: AgentPatch;
  /** The time of the registration, the edit or the refusal: ISO 8601 in UTC. */
  since: string;
  reason: string;
  seen: string;
};

export function createReviews(registry: Registry, acting: Acting | undefined) {
  const { db } = registry;
  return {
    release,
    refuse,
    hold,
    countProposed,
    streamReviewed: (state: 'held' | 'refused', selection?: AgentSelection) => streamReviewed(db, state, selection),
  };

  /**
   * Lists the selected agents that are held, and applies the selected changes that wait, in one transaction during which
   * other writers wait. Returns the agents.
   */
  async function release(selection: AgentSelection): Promise<NamedAgent[]> {
    const seqs = await collectWaiting(db, selection);
    const at = new Date().toISOString();
    return changeInBulk({ registry, acting, seen: selection.seen }, seqs, async (transaction, chunk) => {
      const held = await removeUnlisted(transaction, chunk, 'held');
      await writeAgentsAgain(registry, transaction, held, { actor: 'operator', listedAt: at });
      const proposed = await readReviewed(transaction, without(chunk, held), 'waiting');
      for (const { stored, proposal } of proposed) {
        const former = pick(stored.agent, fieldsOf(proposal.patch));
        await editListed(registry, transaction, stored, proposal.patch, { actor: 'owner', now: Date.parse(at) });
        await writeRecords(transaction, 'proposal', [{ ...proposal, state: 'released', since: at, former }]);
      }
      return [...held, ...proposed.map(({ stored }) => stored)];
    });
  }

  /** Refuses the selected agents that are held, and the selected changes that wait, in one transaction like `release`. */
  async function refuse(selection: AgentSelection, reason: string): Promise<NamedAgent[]> {
    const seqs = await collectWaiting(db, selection);
    const since = new Date().toISOString();
    return changeInBulk({ registry, acting, seen: selection.seen }, seqs, async (transaction, chunk) => {
      const held = await moveUnlisted(transaction, chunk, { state: 'held' }, { state: 'refused', reason, since });
      const proposed = await readReviewed(transaction, without(chunk, held), 'waiting');
      for (const { proposal } of proposed) {
        await writeRecords(transaction, 'proposal', [{ ...proposal, state: 'refused', since, reason }]);
      }
      return [...held, ...proposed.map(({ stored }) => stored)];
    });
  }

  /**
   * Takes back the last decision about the selected agents, in one transaction like `release`: a refused agent or change
   * waits again; a released change leaves the listed agent, and waits again; a listed agent without one is held.
   */
  async function hold(selection: AgentSelection): Promise<NamedAgent[]> {
    const seqs = await collectSeqs(selectAgents(db, selection, ['listed', 'refused']));
    const since = new Date().toISOString();
    return changeInBulk({ registry, acting, seen: selection.seen }, seqs, async (transaction, chunk) => {
      const refused = await moveUnlisted(
        transaction,
        chunk,
        { state: 'refused' },
        { state: 'held', reason: '', since },
      );
      const reviewed = await readReviewed(transaction, without(chunk, refused));
      const decided = reviewed.filter(({ proposal }) => proposal.state !== 'waiting');
      for (const { stored, proposal } of decided) {
        const former = unchangedSince(stored, proposal);
        if (fieldsOf(former).length > 0) {
          await editListed(registry, transaction, stored, former, { actor: 'operator', now: Date.parse(since) });
        }
        await writeRecords(transaction, 'proposal', [
          { ...proposal, state: 'waiting', since, former: undefined, reason: '' },
        ]);
      }
      const known = [...refused, ...reviewed.map(({ stored }) => stored)];
      const unlisted = await removeListed(registry, transaction, without(chunk, known), 'operator');
      await writeUnlisted(transaction, unlisted, { state: 'held', reason: '', since });
      return [...refused, ...decided.map(({ stored }) => stored), ...unlisted];
    });
  }

  async function countProposed(): Promise<number> {
    const { agents } = await db
      .selectFrom('proposed_versions')
      .innerJoin('agents', 'agents.id', 'agent_id')
      .select((select) => select.fn.countAll<number>().as('agents'))
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow();
    return agents;
  }
}

/** Streams what waits for review or was refused: first the new agents, then the edits. */
async function* streamReviewed(
  db: Kysely<Tables>,
  state: 'held' | 'refused',
  selection: AgentSelection = {},
): AsyncGenerator<Reviewed, void, undefined> {
  for await (const { agent, since = '', reason = '' } of selectAgents(db, selection, [state])) {
    yield { kind: 'new', agent, patch: {}, since, reason, seen: fingerprintOf(agent) };
  }
  const edits = selectProposed(db, selection, state === 'held' ? 'waiting' : 'refused');
  for await (const { stored, proposal } of edits) {
    const { agent } = stored;
    const { patch, since, reason } = proposal;
    yield { kind: 'edit', agent, patch, since, reason, seen: fingerprintOf(agent, patch) };
  }
}

async function collectWaiting(db: Kysely<Tables>, selection: AgentSelection): Promise<number[]> {
  const seqs = await collectSeqs(selectAgents(db, selection, ['held']));
  for await (const { stored } of selectProposed(db, selection, 'waiting')) seqs.push(stored.seq);
  return seqs;
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
async function readReviewed(
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
