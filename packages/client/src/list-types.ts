import type { Agent, AgentFilters, CategoryId } from './agent-types.ts';
import type { SortOrder } from './types.ts';

/** The filters, the order and the page of a list; the whole list without a page. */
export type ListRequest = AgentFilters & {
  /** The order. Without it, lists are newest first and searches best match first. */
  sort?: SortOrder | undefined;
  /** The most agents of a page: 1 to 200. It ends early at 2 MiB: only without `rel="next"` in `Link` it is the last. */
  limit?: number | undefined;
  /** The id of the last agent of the page before. */
  after?: string | undefined;
  /** The id of the first agent of the page after. */
  before?: string | undefined;
  /** Whether the header `X-First-Position` tells the position of the page in the list, from 1. */
  position?: boolean | undefined;
};

/** The list of all agents, or of those with a website. */
export type AllAgentsRequest = ListRequest & {
  /** Only agents with this website. The scheme, `www.` and a slash at the end do not matter. */
  website?: string | undefined;
};

/** The list of a category. */
export type CategoryRequest = ListRequest & {
  /** The id of the category. */
  category: CategoryId;
};

/** A search: at most 1,000 results, or a page of them. */
export type SearchRequest = ListRequest & {
  /** The text: 1 to 200 characters. */
  q: string;
  /** `false` for the search as typed, without corrections and synonyms. */
  correct?: boolean | undefined;
};

/** The beginning of a name or a capability. */
export type SuggestRequest = {
  /** The text: 2 to 200 characters, or one of Chinese, Japanese, Korean or Thai. Case, accents, blanks and punctuation do not matter. */
  q: string;
};

/** The agents, capabilities and categories that begin with a text. */
export type Suggestions = {
  /** Up to five agents with a word in their names at which the text begins. */
  agents: Pick<Agent, 'id' | 'name' | 'category'>[];
  /** Up to three capabilities that begin with the text, frequent ones first. */
  capabilities: string[];
  /** The categories with a word in their names at which the text begins. */
  categories: {
    /** The id of the category. */
    id: string;
    /** The name of the category. */
    name: string;
  }[];
};

/** The list whose facets are counted. A category wins over a text. */
export type FacetsRequest = AgentFilters & {
  /** Counts agents of this category. */
  category?: CategoryId | undefined;
  /** Counts agents that this text finds. */
  q?: string | undefined;
  /** `false` for the text as typed, without corrections and synonyms. */
  correct?: boolean | undefined;
};

/** The filters with options. */
type OptionFilters = Omit<AgentFilters, 'capability' | 'since'>;

/** How many agents of a list each value of a filter would leave, with the other filters applied. */
export type Facets = {
  [Name in keyof OptionFilters]-?: Record<NonNullable<OptionFilters[Name]>[number], number>;
} & {
  /** The number of agents with all filters. */
  total: number;
  /** `lower` if the text has more than 10,000 results: all counts are those of the latest 10,000. */
  totalBound?: 'lower' | undefined;
};
