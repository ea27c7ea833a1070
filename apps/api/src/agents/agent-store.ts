import type { Agent, CategoryId, NewAgent } from '@agent-registry/contracts';

/** Which part of a list is asked for. */
export type PageRequest = {
  /** The category whose list it is; without it the list of all agents. */
  category?: CategoryId | undefined;
  /** Most agents in the page. */
  limit: number;
  /** The id of the agent after which the page begins; without it the page begins with the newest. */
  after?: string | undefined;
};

/** A part of a list. */
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
  /** All agents, or those of one category. */
  list(category?: CategoryId): Promise<Agent[]>;
  /**
   * The same in chunks of some agents, of at least one, each read when it is asked for; between two chunks
   * the process does other work. Each agent comes once, one that is added meanwhile at most once.
   */
  stream(category?: CategoryId): AsyncGenerator<Agent[], void, undefined>;
  /** A page of a list; undefined when `after` is no agent of that list. */
  page(request: PageRequest): Promise<AgentPage | undefined>;
  /** How many agents there are, in all or in one category. */
  count(category?: CategoryId): Promise<number>;
  /**
   * The version of the registry: another, greater number after every change of agents that was made before the call, by
   * any process. ResponseReport at once where that takes but microseconds.
   */
  version(): number | Promise<number>;
  /** When agents last changed. */
  changedAt(): Promise<Date>;
  /** How many agents there are in each category. */
  countByCategory(): Promise<Record<CategoryId, number>>;
  /**
   * The agents in which every word of the text occurs, best match first: at most `limit`, 1,000 if not given, from the best
   * on or from the one after the agent `after`; undefined when there is no such agent among them.
   */
  search(request: {
    text: string;
    limit?: number | undefined;
    after?: string | undefined;
  }): Promise<FoundAgents | undefined>;
  /** The agent with this id, if there is one. */
  find(id: string): Promise<Agent | undefined>;
  /** Stores a new agent under an id of its own; when this resolves, it is on the disk. */
  register(newAgent: NewAgent): Promise<Agent>;
  /**
   * The same, once for all calls with one key within 24 hours, whichever process gets them: a later one is given the agent
   * of the first as it was then; undefined when the first registered something else.
   */
  registerOnce(key: string, newAgent: NewAgent): Promise<Agent | undefined>;
  /** Stores whole agents, all or none. */
  load(agents: readonly Agent[]): Promise<void>;
};

/** How many there are of all kinds together, such as agents of all categories. */
export function totalOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
