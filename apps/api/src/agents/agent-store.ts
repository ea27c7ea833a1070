import type { Agent, CategoryId, NewAgent } from '@agent-registry/contracts';

/** A request for a page of a list. */
export type PageRequest = {
  /** The category; all agents by default. */
  category?: CategoryId | undefined;
  /** The largest number of agents in the page. */
  limit: number;
  /** Cursor: the page starts after this agent; by default with the newest. */
  after?: string | undefined;
};

/** A page of a list. */
export type AgentPage = {
  agents: Agent[];
  /** The size of the full list. */
  total: number;
  /** Whether more agents follow. */
  hasMore: boolean;
};

/** A page of search results. */
export type FoundAgents = AgentPage & {
  /** The query with spelling corrections, when some of these agents were found by them. */
  correction: string | undefined;
};

/** Stores agents. Lists are newest first: by `createdAt` descending, then by `id`. */
export type AgentStore = {
  /** All agents, or those of one category. */
  list(category?: CategoryId): Promise<Agent[]>;
  /**
   * Streams the list in chunks of at least one agent, read on demand; the event loop runs between two chunks. Each agent
   * comes once, an agent that is added meanwhile at most once.
   */
  stream(category?: CategoryId): AsyncGenerator<Agent[], void, undefined>;
  /** A page of a list; undefined when `after` is not in that list. */
  page(request: PageRequest): Promise<AgentPage | undefined>;
  /** Counts all agents, or those of one category. */
  count(category?: CategoryId): Promise<number>;
  /**
   * The version of the registry: differs after every change of an agent, by any process. Synchronous where that takes
   * microseconds.
   */
  version(): string | Promise<string>;
  /** Counts the agents of each category. */
  countByCategory(): Promise<Record<CategoryId, number>>;
  /**
   * Finds the agents in which every word of the text occurs, best match first: at most `limit`, 1,000 by default, from the
   * best on or after the agent `after`; undefined when `after` is not among the results.
   */
  search(request: {
    text: string;
    limit?: number | undefined;
    after?: string | undefined;
  }): Promise<FoundAgents | undefined>;
  /** Finds an agent by id. */
  find(id: string): Promise<Agent | undefined>;
  /** Stores a new agent under a new id; it is on disk when this resolves. */
  register(newAgent: NewAgent): Promise<Agent>;
  /**
   * Registers once per idempotency key within 24 hours, across processes: a repeated call gets the first agent as it was
   * then; undefined when the first call registered another agent.
   */
  registerOnce(key: string, newAgent: NewAgent): Promise<Agent | undefined>;
  /** Stores complete agents in one transaction. */
  load(agents: readonly Agent[]): Promise<void>;
};

/** Sums counts, such as those of all categories. */
export function totalOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
