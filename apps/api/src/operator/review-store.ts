import type { Agent } from '@agent-registry/contracts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import type { NamedAgent } from './operator-store.ts';
import type { Proposal } from '../agents/proposals.ts';

/** A listed agent, and its proposed version. */
export type ProposedAgent = { agent: Agent; proposed: Agent; proposal: Proposal };

/** The operator's review of held agents and of proposed versions. */
export type ReviewStore = {
  /**
   * Lists the selected agents that are held, and applies the selected changes that wait, in one transaction during which
   * other writers wait. Returns the agents.
   */
  release(selection: AgentSelection): Promise<NamedAgent[]>;
  /** Refuses the selected agents that are held, and the selected changes that wait, in one transaction like `release`. */
  refuse(selection: AgentSelection, reason: string): Promise<NamedAgent[]>;
  /**
   * Takes back the last decision about the selected agents, in one transaction like `release`: a refused agent or change
   * waits again; a released change leaves the listed agent, and waits again; a listed agent without one is held.
   */
  hold(selection: AgentSelection): Promise<NamedAgent[]>;
  /** Counts the listed agents with changes that wait. */
  countProposed(): Promise<number>;
  /** Streams the selected listed agents with changes of a state; the conditions may hold for either version. */
  streamProposed(selection?: AgentSelection, state?: Proposal['state']): AsyncGenerator<ProposedAgent, void, undefined>;
};
