import type { Agent, EditableField, EntrySource } from '@agent-registry/contracts';
import type { UnlistedState } from '../db/tables.ts';
import type { AgentSource, SourceRecord } from './agent-sources.ts';

/** An agent that a source may change. */
export type KnownAgent = {
  /** Undefined for one that was withdrawn so long ago that it is forgotten. */
  agent: Agent | undefined;
  state: 'listed' | UnlistedState;
  /** Whether it has a management key or a proved website: it is its owner's. */
  isClaimed: boolean;
};

/** Stores the sources of `registry sync` and what became of their entries. */
export type SourceStore = {
  /** From where an agent that nobody has claimed was imported, the origin of its texts first. */
  ofAgent(agentId: string): Promise<EntrySource[]>;
  /** How far a source was read; undefined before the end of its first synchronisation. */
  find(source: string): Promise<SourceRecord | undefined>;
  /** The entries of a source, by their keys. */
  entriesOf(source: string): Promise<Map<string, AgentSource>>;
  /** The entries of other sources for these agents, by agent, the oldest first. */
  othersOf(source: string, agentIds: readonly string[]): Promise<Map<string, AgentSource[]>>;
  /** Agents of any state, by id. */
  readAgents(ids: readonly string[]): Promise<Map<string, KnownAgent>>;
  /**
   * Agents with one of these websites, by the keys of `toWebsiteKey`, listed ones first; of any state, without those that
   * were withdrawn with their entry.
   */
  findByWebsite(keys: ReadonlySet<string>): Promise<Map<string, Agent[]>>;
  /** The fields of agents that no synchronisation changes. */
  readPinned(): Promise<Map<string, ReadonlySet<EditableField>>>;
  /**
   * Changes which fields of an imported agent no synchronisation changes.
   * @returns the pinned fields; undefined if no source has the agent
   */
  pin(
    agentId: string,
    change: (pinned: ReadonlySet<EditableField>) => ReadonlySet<EditableField>,
  ): Promise<EditableField[] | undefined>;
  /** Writes entries in place of the former ones. */
  write(entries: readonly AgentSource[]): Promise<void>;
  /** Removes entries of a source. */
  remove(source: string, entryKeys: readonly string[]): Promise<void>;
  /** Notes how far a source was read. */
  finish(record: SourceRecord): Promise<void>;
};
