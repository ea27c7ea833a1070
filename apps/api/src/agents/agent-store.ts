import type {
  Agent,
  AgentFilters,
  AgentPatch,
  CategoryId,
  ListedAgent,
  NewAgent,
  OptionFilterName,
  Report,
  SortOrder,
} from '@agent-registry/contracts';
import type { SearchSession } from '../search/search.ts';
import type { FoundSuggestions, SuggestedCapability } from '../suggestions/find-suggestions.ts';
import type { EditReview } from './owner-edits.ts';
import type { ProvedWebsite } from '../website-check/website-claims.ts';
import type { ExpectedVersion } from './expected-version.ts';

/** The agents of a list. */
export type ListFilters = AgentFilters & {
  /** The category; all agents by default. */
  category?: CategoryId | undefined;
  /** The website, in any of the forms that `toWebsiteKey` makes equal. */
  website?: string | undefined;
};

/** A list of agents. */
export type ListRequest = ListFilters & {
  /** Newest first by default. */
  sort?: SortOrder | undefined;
};

/** A part of a list: its first agents, those next to a cursor, or those from a name on. */
export type PagePart = {
  /** The largest number of agents in the page. */
  limit: number;
  /** The page starts after this cursor. */
  after?: string | undefined;
  /** The page ends before this cursor; not together with `after`. */
  before?: string | undefined;
  /** In the order of names, the page starts with the first name that is this text or comes after it. */
  from?: string | undefined;
  /** Whether the position of the page is counted. */
  position?: boolean | undefined;
  /** The most bytes of the page as JSON, after which it ends early; `MAX_PAGE_BYTES` by default. */
  maxBytes?: number | undefined;
};

/** A request for a page of a list. */
export type PageRequest = ListRequest & PagePart;

/** A search; without `limit`, for a page of up to 1,000 results. Best match first by default. */
export type SearchAgentsRequest = AgentFilters & {
  text: string;
  /** Whether corrections and synonyms count; true by default. */
  correct?: boolean | undefined;
  sort?: SortOrder | undefined;
  session?: SearchSession | undefined;
} & Partial<PagePart>;

/** The agents of a category, those that a text finds, or all. A category wins over a text. */
export type FoundList = ListFilters & Partial<Pick<SearchAgentsRequest, 'text' | 'correct' | 'session'>>;

/** Agents, each with the time at which it was listed or edited last. */
export type LatestAgents<Listed = Agent> = Pick<FoundAgents, 'isProvisional'> & {
  latest: { agent: Listed; changedAt: string }[];
};

/** A page of a list. */
export type AgentPage<Listed = Agent> = {
  agents: Listed[];
  /** The size of the full list. */
  total: number;
  /** Whether more agents follow. */
  hasMore: boolean;
  /** Whether agents come before the page. */
  hasPrevious: boolean;
  /** The position of the first agent in the list, from 1; undefined if it was not asked for, unless it is known anyway. */
  position?: number | undefined;
};

/** The number of agents with a value of each filter that has options, or without one. */
export type FacetCount = { [Name in OptionFilterName]: NonNullable<AgentFilters[Name]>[number] | undefined } & {
  agents: number;
};

/** The counts of a list by its facets, and the capabilities that most of its agents have. */
export type CountedFacets = Pick<FoundAgents, 'isProvisional'> & {
  counts: FacetCount[];
  capabilities: SuggestedCapability[];
};

/** A page of search results. */
export type FoundAgents<Listed = Agent> = AgentPage<Listed> & {
  /** The number of results with all words of the query. They come first, unless `sort` was asked for. */
  full: number;
  /** The query with the corrections or synonyms that found the best agent; undefined if it was found as typed. */
  correction: string | undefined;
  /** The query with its sentences written as operators; undefined if it has no operators. */
  understood: string | undefined;
  /** The folded words of the query that tell most, at most ten: as a query, they find alike. */
  telling: readonly string[];
  /** The folded words by which the agents were found: `word`, `beginning*` or `*part*` of a word. */
  words: string[];
  /** Whether a later search may find more, because the words of all agents were not known yet, as after a start. */
  isProvisional: boolean;
};

/** The results of a search as a stream of `length` agents; the `last` one if more results follow. */
export type WholeSearch<Listed = Agent> = Omit<FoundAgents<Listed>, Exclude<keyof AgentPage, 'total'>> & {
  stream: () => AsyncGenerator<Listed[], void, undefined>;
  length: number;
  last: Listed | undefined;
};

/** The management key of a call that changes an agent, and the version that the agent must have. */
export type Authority = {
  /** The key, if the client sent one. */
  key: string | undefined;
  /** The version that the agent must have; any by default. */
  expected?: ExpectedVersion | undefined;
};

/** How an agent is registered. */
export type RegisterOptions = {
  /** Its management key, of which the hash is stored. */
  key?: string | undefined;
  /** Whether it is held: not listed until the operator releases it. */
  isHeld?: boolean | undefined;
};

/** A registered agent, and whether it still waits for its release. */
export type Registered = { agent: Agent; isHeld: boolean };

/** An agent as its owner sees it: with the changes that are not listed. */
export type OwnedVersion = {
  agent: Agent;
  /** Whether it is another version than the listed one, or none is listed. */
  isHeld: boolean;
  /** Why the operator refused it; undefined if it was not refused. */
  refusal?: string;
};

/** Why an agent was not changed. */
export type Refusal = 'unknown' | 'withdrawn' | 'unauthorized' | 'unexpected';

/**
 * Reads lists of agents, newest first by default: by `createdAt` descending, then by `id`. With `ListedAgent` the agents
 * may lack the contact address.
 */
export type AgentLists<Listed extends ListedAgent = Agent> = {
  /** The whole list; rejects with a `RegistryError` if it has more than `maxBytes` as JSON, `MAX_PAGE_BYTES` by default. */
  list(request?: ListRequest & Pick<PagePart, 'maxBytes'>): Promise<Listed[]>;
  /**
   * Streams the list in chunks of at least one agent and at most 1 MiB, read on demand; the event loop runs between two
   * chunks. Each agent comes once, one that is renamed meanwhile, too; an agent that is added or removed meanwhile at most
   * once.
   */
  stream(request?: ListRequest): AsyncGenerator<Listed[], void, undefined>;
  /** A page of a list; undefined when the cursor is of another order, or an id that is not in that list. */
  page(request: PageRequest): Promise<AgentPage<Listed> | undefined>;
  /** The listed agents with these ids, in the same order, until `maxBytes` as JSON; `leftOut` is the next one. */
  findAll(ids: readonly string[], maxBytes: number): Promise<{ agents: Listed[]; leftOut: string | undefined }>;
  /** The agents of a list that were listed or edited last, latest first. */
  latest(list: FoundList & Pick<PagePart, 'limit'>): Promise<LatestAgents<Listed>>;
  /** The agents and capabilities that begin with a text: a few of each, without the contact address. */
  suggest(text: string): Promise<FoundSuggestions>;
  /** The time of the last change of an agent of a category, or of any; undefined if there was none. */
  lastChange(category?: CategoryId): Promise<string | undefined>;
  /** Counts the agents of a list. */
  count(filters?: ListFilters): Promise<number>;
  /** Counts the agents of each category, those that the operator removed included. */
  countByCategory(): Promise<Record<string, number>>;
  /**
   * Counts the agents of a category, of a text's results, or all, by the filters that have options, with those
   * that are texts applied; and finds the capabilities that most of them have, with all filters but `capability` applied.
   */
  countFacets(list: Omit<FoundList, 'website'>): Promise<CountedFacets>;
  /**
   * Finds agents by a text; undefined when the cursor is of another order, or an id that is not among the results. Best
   * match first, positions are known and `before` is possible within the first 1,000 results.
   */
  search(request: SearchAgentsRequest): Promise<FoundAgents<Listed> | undefined>;
  /** Finds agents by a text and streams them, at most the first 1,000. */
  searchWhole(request: Omit<SearchAgentsRequest, keyof PagePart>): Promise<WholeSearch<Listed>>;
};

/** Stores agents. */
export type AgentStore<Listed extends ListedAgent = Agent> = AgentLists<Listed> & {
  /**
   * The version of the registry: differs after every change of an agent, by any process. Synchronous where that takes
   * microseconds.
   */
  version(): string | Promise<string>;
  /** Finds an agent by id. */
  find(id: string): Promise<Agent | undefined>;
  /** Whether an agent was withdrawn. */
  isWithdrawn(id: string): Promise<boolean>;
  /** Finds an agent by id for its owner, also while it or its changes wait for review. */
  findOwned(id: string, key: string): Promise<OwnedVersion | Refusal>;
  /** Stores a new agent under a new id; it is on disk when this resolves. */
  register(newAgent: NewAgent, options?: RegisterOptions): Promise<Registered>;
  /**
   * Registers once per idempotency key within 24 hours, across processes: a repeated call gets the first agent as it was
   * then; undefined when the first call registered another agent, or if the agent has another management key than this call.
   */
  registerOnce(idempotencyKey: string, newAgent: NewAgent, options?: RegisterOptions): Promise<Registered | undefined>;
  /**
   * Changes fields of an agent. Of concurrent changes each is applied to the result of the one before. With a review, the
   * changes of a listed agent wait until they are released.
   * @throws {ZodError} when the result would be no valid agent.
   */
  update(id: string, authority: Authority, patch: AgentPatch, review?: EditReview): Promise<OwnedVersion | Refusal>;
  /** Takes back the changes of a listed agent that wait for review or were refused, if there are any. */
  takeBack(id: string, authority: Authority): Promise<OwnedVersion | Refusal>;
  /** Withdraws an agent from all lists, searches and counts. Returns it as its owner saw it. */
  withdraw(id: string, authority: Authority): Promise<OwnedVersion | Refusal>;
  /** Replaces the management key of an agent. */
  replaceKey(id: string, authority: Authority, newKey: string): Promise<OwnedVersion | Refusal>;
  /**
   * Replaces the management key of an agent whose owner controls the website; undefined if the agent no longer lists
   * that website.
   */
  claim(id: string, proved: ProvedWebsite, newKey: string): Promise<Agent | undefined>;
  /**
   * Stores a report of a listed agent for the operator, of which the first and the latest are kept; undefined if the
   * agent is not listed.
   */
  report(id: string, report: Pick<Report, 'reason' | 'text'>): Promise<Report | undefined>;
  /** Stores complete agents in one transaction. */
  load(agents: readonly Agent[]): Promise<void>;
};
