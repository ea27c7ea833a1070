import { hash } from 'node:crypto';
import type { Agent, AgentPatch } from '@agent-registry/contracts';
import type { AgentSource } from '../operator/agent-sources.ts';
import type { Crawl } from './crawl-source.ts';
import type { Source } from './read-sources.ts';

/** An entry of a source that concerns an agent of the registry. */
export type PlannedEntry = { entry: AgentSource; agent: Agent };

/** What a synchronisation would do. */
export type SyncPlan = {
  source: Source;
  /** Whether an earlier synchronisation has come to its end. */
  wasFollowed: boolean;
  /** Agents to add. */
  adds: PlannedEntry[];
  /** Agents to change. */
  changes: (PlannedEntry & { patch: AgentPatch })[];
  /** Agents to list again, since the source has them again, and to change. */
  returns: (PlannedEntry & { patch: AgentPatch })[];
  /** Agents that have the same website: the source becomes another one of theirs. */
  joins: PlannedEntry[];
  /** Agents to withdraw. */
  withdrawals: PlannedEntry[];
  /** Entries whose licence, attribution or place changes, without a change of the agent. */
  rewritten: AgentSource[];
  /** Keys of entries that are no longer known. */
  dropped: string[];
  /** Entries that cannot be agents, and why. */
  refused: { id: string; fault: string }[];
  /** Entries that are as they were. */
  unchanged: number;
  /** Entries that stay as they are, because they were claimed, hidden, withdrawn or erased. */
  kept: number;
  /** The listed agents of the source that nobody has claimed, before. */
  listed: number;
  crawl: Crawl;
};

/** The key of an entry: a hash of what the source calls it. */
export function toEntryKey(id: string): string {
  return hash('sha256', id, 'base64url');
}

/** Creates a plan that does nothing. */
export function createPlan(source: Source, wasFollowed: boolean, crawl: Crawl): SyncPlan {
  return {
    source,
    wasFollowed,
    adds: [],
    changes: [],
    returns: [],
    joins: [],
    withdrawals: [],
    rewritten: [],
    dropped: [],
    refused: [],
    unchanged: 0,
    kept: 0,
    listed: 0,
    crawl,
  };
}
