import type { Selectable } from 'kysely';

/** The tables of `registry sync`. */
export type SourceTables = {
  agent_sources: AgentSourcesTable;
  pinned_fields: PinnedFieldsTable;
  sources: SourcesTable;
};

/** The sources of `registry sync`. A row stays until a restore: the next synchronisation goes on from it. */
type SourcesTable = {
  name: string;
  /** Its address: at another one it is read from its start. */
  address: string;
  /** How far the source was read, in its own terms; null if it is read as a whole each time. */
  mark: string | null;
  /** When it was synchronised last: ISO 8601 in UTC with milliseconds. */
  synced_at: string;
};

/** The entries of sources, and the agents that they became. A row stays as long as its agent. */
type AgentSourcesTable = {
  /** The name of the source. */
  source: string;
  /** A hash of what the source calls the entry. */
  entry_key: string;
  /** Null after the agent was erased or forgotten: the row keeps it from being added again. */
  agent_id: string | null;
  /** 1 for the source that the texts come from, 0 for one that has the same website. */
  is_origin: 0 | 1;
  attribution: string;
  licence: string;
  /** When its texts were taken over last: ISO 8601 in UTC with milliseconds. */
  imported_at: string;
  /** When the agent was withdrawn because the source no longer has the entry; null while it does. */
  gone_at: string | null;
};

/** The fields of imported agents that no synchronisation changes. A row stays as long as its agent. */
type PinnedFieldsTable = {
  agent_id: string;
  /** The names of the fields as a JSON array. */
  fields: string;
};

/** A row of `agent_sources`. */
export type AgentSourceRow = Selectable<AgentSourcesTable>;
