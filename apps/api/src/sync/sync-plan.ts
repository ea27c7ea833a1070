import { hash } from 'node:crypto';
import type { Agent, AgentPatch } from '@agent-registry/contracts';
import type { AgentSource } from '../operator/agent-sources.ts';
import type { ServerDocument } from '../servers/server-documents.ts';
import type { WantedName } from '../servers/source-names.ts';
import type { Crawl } from './crawl-source.ts';
import type { Source } from './read-sources.ts';

/** An entry of a source that concerns an agent of the registry, and its description if it is an MCP server that changed. */
export type PlannedEntry = { entry: AgentSource; agent: Agent; document?: ServerDocument | undefined };

/** An entry of a source, and why it is not taken. */
export type LeftEntry = { id: string; fault: string };

/** What a synchronisation would do. */
export type SyncPlan = {
  source: Source;
  /** Whether an earlier synchronisation has come to its end. */
  wasFollowed: boolean;
  /** Whether it is read from its start because this version reads more of its entries. */
  isReread: boolean;
  /** Agents to add. */
  adds: PlannedEntry[];
  /** Agents to change, or to give another description as a server. */
  changes: (PlannedEntry & { patch: AgentPatch })[];
  /** Agents to list again, since the source has them again, and to change. */
  returns: (PlannedEntry & { patch: AgentPatch })[];
  /** Agents that another source has under the same name and website: the source becomes another one of theirs. */
  joins: PlannedEntry[];
  /** Agents to withdraw. */
  withdrawals: PlannedEntry[];
  /** Entries whose licence, attribution or place changes, without a change of the agent. */
  rewritten: AgentSource[];
  /** Keys of entries that are no longer known. */
  dropped: string[];
  /** Names of MCP servers that agents get. */
  names: WantedName[];
  /** Entries that cannot be agents, and why. */
  refused: LeftEntry[];
  /** Entries that are not added because of an agent with the same website, and why. */
  left: LeftEntry[];
  /** MCP servers that are not described as the source does, and why. */
  partial: LeftEntry[];
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

/** What this version reads of the entries of a source: another text than that of the last time has them all read anew. */
export function toReading({ names }: Source): string {
  return names ? 'servers, names' : 'servers';
}

/** Creates a plan that does nothing. */
export function createPlan(
  source: Source,
  { wasFollowed, isReread, crawl }: Pick<SyncPlan, 'wasFollowed' | 'isReread' | 'crawl'>,
): SyncPlan {
  return {
    source,
    wasFollowed,
    isReread,
    adds: [],
    changes: [],
    returns: [],
    joins: [],
    withdrawals: [],
    rewritten: [],
    dropped: [],
    names: [],
    refused: [],
    left: [],
    partial: [],
    unchanged: 0,
    kept: 0,
    listed: 0,
    crawl,
  };
}
