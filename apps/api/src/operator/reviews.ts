import type { AgentPatch } from '@agent-registry/contracts';
import type { Acting } from '../actions/record-of-actions.ts';
import { writeAgentsAgain, type Registry, type StoredAgent } from '../agents/agent-rows.ts';
import { collectSeqs, selectAgents, type AgentSelection } from '../agents/select-agents.ts';
import { editListed } from '../agents/edit-agent.ts';
import { fieldsOf, pick, type Proposal } from '../agents/proposals.ts';
import { moveUnlisted, removeListed, removeUnlisted, writeUnlisted } from '../agents/unlisted-agents.ts';
import { reviewOffers } from '../connection-checks/offers.ts';
import { writeRecords } from '../db/records.ts';
import { changeInBulk, type NamedAgent } from './change-in-bulk.ts';
import { collectWaiting, readOffered, readReviewed, readWaiting, streamReviewed, type WithOffers } from './waiting.ts';

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
      const { proposed, read } = await readWaiting(transaction, without(chunk, held), selection);
      await reviewOffers(registry, transaction, offersOf(read), 'released');
      for (const { stored, proposal } of proposed) {
        const former = pick(stored.agent, fieldsOf(proposal.patch));
        await editListed(registry, transaction, stored, proposal.patch, { actor: 'owner', now: Date.parse(at) });
        await writeRecords(transaction, 'proposal', [{ ...proposal, state: 'released', since: at, former }]);
      }
      return [...held, ...unique([...proposed, ...read])];
    });
  }

  /** Refuses the selected agents that are held, and the selected changes that wait, in one transaction like `release`. */
  async function refuse(selection: AgentSelection, reason: string): Promise<NamedAgent[]> {
    const seqs = await collectWaiting(db, selection);
    const since = new Date().toISOString();
    return changeInBulk({ registry, acting, seen: selection.seen }, seqs, async (transaction, chunk) => {
      const held = await moveUnlisted(transaction, chunk, { state: 'held' }, { state: 'refused', reason, since });
      const { proposed, read } = await readWaiting(transaction, without(chunk, held), selection);
      await reviewOffers(registry, transaction, offersOf(read), 'refused');
      for (const { proposal } of proposed) {
        await writeRecords(transaction, 'proposal', [{ ...proposal, state: 'refused', since, reason }]);
      }
      return [...held, ...unique([...proposed, ...read])];
    });
  }

  /**
   * Takes back the last decision about the selected agents, in one transaction like `release`: a refused agent or change
   * waits again; a released change leaves the listed agent, and waits again, as texts that were read do; a listed agent
   * without one is held.
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
      const read = await readOffered(transaction, ['refused', 'released'], without(chunk, refused));
      await reviewOffers(registry, transaction, offersOf(read), 'waiting');
      const known = [...refused, ...unique([...reviewed, ...read])];
      const unlisted = await removeListed(registry, transaction, without(chunk, known), 'operator');
      await writeUnlisted(transaction, unlisted, { state: 'held', reason: '', since });
      return [...refused, ...unique([...decided, ...read]), ...unlisted];
    });
  }

  async function countProposed(): Promise<number> {
    const { agents } = await db
      .selectFrom('proposed_versions')
      .innerJoin('agents', 'agents.id', 'agent_id')
      .select((select) => select.fn.countAll<number>().as('agents'))
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow();
    return agents + (await readOffered(db, ['waiting'])).length;
  }
}

/** The former values of the released fields that nobody has changed since. */
function unchangedSince({ agent }: StoredAgent, { patch, former = {} }: Proposal): AgentPatch {
  const released = pick(agent, fieldsOf(former));
  // What a check has read since is no edit.
  const toText = (value: unknown) =>
    JSON.stringify(value, (name, member) => (name === 'tools' ? undefined : member) as unknown);
  const fields = fieldsOf(former).filter((field) => toText(released[field]) === toText(patch[field]));
  return pick(former, fields);
}

function without(seqs: readonly number[], agents: readonly StoredAgent[]): number[] {
  const others = new Set(agents.map(({ seq }) => seq));
  return seqs.filter((seq) => !others.has(seq));
}

const offersOf = (read: readonly WithOffers[]) => read.flatMap(({ offers }) => offers);
/** The agents of decisions, each once. */
const unique = (decided: readonly { stored: StoredAgent }[]) => [
  ...new Map(decided.map(({ stored }) => [stored.seq, stored])).values(),
];
