import type { Agent, CategoryId, NewAgent } from '@agent-registry/contracts';

/** A part of a list of agents. */
export type AgentPage = {
  agents: Agent[];
  /** How many agents the whole list has. */
  total: number;
  /** Whether agents follow after these. */
  hasMore: boolean;
};

/** A part of the agents that a search found. */
export type FoundAgents = AgentPage & {
  /** How the search reads with the corrections that led to some of these agents, if any did. */
  correction: string | undefined;
};

/** Where agents are kept. Every list but a search is newest first: by `createdAt` descending, then by `id`. */
export type AgentStore = {
  /** All agents. */
  list(): Promise<Agent[]>;
  /** At most `limit` agents, from the newest on or from the one after the agent `after`; undefined when there is no such agent. */
  page(request: { limit: number; after?: string | undefined }): Promise<AgentPage | undefined>;
  /** How many agents there are. */
  count(): Promise<number>;
  /** The agents of one category. */
  listByCategory(category: CategoryId): Promise<Agent[]>;
  /**
   * The agents in which every word of the text occurs, best match first: at most `limit`, 1,000 if not given, from the best
   * on or from the one after the agent `after`; undefined when there is no such agent among them.
   */
  search(request: { text: string; limit?: number; after?: string | undefined }): Promise<FoundAgents | undefined>;
  /** The agent with this id, if there is one. */
  find(id: string): Promise<Agent | undefined>;
  /** Stores a new agent under an id of its own; when this resolves, it is on the disk. */
  register(newAgent: NewAgent): Promise<Agent>;
  /** Stores whole agents, all or none. */
  load(agents: readonly Agent[]): Promise<void>;
};
