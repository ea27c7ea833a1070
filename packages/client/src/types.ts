import type { Connection, NewConnection, ServerFacts } from './connection-types.ts';

/** The id of a category. These are the usual ones; the operator of a registry can set others. */
export type CategoryId = 'chatbot' | 'automation' | 'analytics' | 'creative' | 'vision' | 'language' | (string & {});

/** What the use of an agent costs. */
export type PricingModel = 'free' | 'freemium' | 'paid' | 'enterprise';

/** Whether an agent has an API. */
export type ApiAccess = 'yes' | 'no' | 'planned';

/** The order of a list. */
export type SortOrder = 'newest' | 'rating' | 'reviews' | 'name';

/** An agent of the registry. */
export type Agent = {
  /** The id: a UUID, set by the registry. */
  id: string;
  /** The name. Several agents may have the same one. */
  name: string;
  /** What the agent does, as plain text with line breaks. */
  description: string;
  /** The id of the category. */
  category: CategoryId;
  /** What the agent can do, in a few words each. */
  capabilities: string[];
  /** Tasks that one can give it, as sentences; absent if there are none. */
  exampleTasks?: string[] | undefined;
  /** How to connect to it; absent if that is not known. */
  connections?: Connection[] | undefined;
  /** What its owner calls its MCP server: the last part of the name of a server whose host is proved; absent without a choice. */
  serverName?: string | undefined;
  /** The public address of the owner. */
  contactEmail: string;
  /** An http or https address, or null. */
  website: string | null;
  /** What the use of the agent costs. */
  pricingModel: PricingModel;
  /** Whether the agent has an API. */
  apiAccess: ApiAccess;
  /** The rating, from 0 to 5 with one decimal; set by the registry. */
  rating: number;
  /** The number of reviews; set by the registry. */
  reviewCount: number;
  /** The time of the registration: ISO 8601 in UTC, set by the registry. */
  createdAt: string;
  /** The time of the last edit: ISO 8601 in UTC, set by the registry; absent before the first edit. */
  updatedAt?: string | undefined;
  /** When the registry last saw that the owner controls the website; absent if it did not. */
  websiteCheckedAt?: string | undefined;
  /** What the owner proved to control then: the whole host, only the listed page of it, or the repository it is in. */
  websiteProof?: 'host' | 'page' | 'repository' | undefined;
};

/** An agent of a list. */
export type ListedAgent = Omit<Agent, 'contactEmail'> & {
  /** The public address of the owner; null if the registry gives it with a single agent only. */
  contactEmail: string | null;
};

/** An agent of a list with the requested fields. */
export type PickedAgent<Field extends keyof ListedAgent> = keyof ListedAgent extends Field
  ? ListedAgent
  : Pick<ListedAgent, Field>;

/** A text that proves control of a website, once it is found there. */
export type WebsiteChallenge = {
  /** The text. */
  challenge: string;
  /** When the text expires: ISO 8601 in UTC. */
  expiresAt: string;
};

/** A registration. The registry trims texts and refuses unknown fields. */
export type NewAgentInput = {
  /** The name: 1 to 100 characters. */
  name: string;
  /** What the agent does: 1 to 2,000 characters, as plain text with line breaks. */
  description: string;
  /** The id of the category. */
  category: CategoryId;
  /** What the agent can do: at most 30 texts of at most 60 characters; none by default. */
  capabilities?: string[] | undefined;
  /** Tasks that one can give it: at most 5 sentences of 10 to 120 characters; none by default. */
  exampleTasks?: string[] | undefined;
  /** How to connect to it: at most 8 connections; none by default. */
  connections?: NewConnection[] | undefined;
  /** What its MCP server is called: at most 60 lower-case letters, digits and hyphens; named by the registry by default. */
  serverName?: string | undefined;
  /** The address of the owner, which is public: at most 254 characters. */
  contactEmail: string;
  /** An http or https address of at most 2,048 characters; null by default. */
  website?: string | null | undefined;
  /** What the use of the agent costs; `free` by default. */
  pricingModel?: PricingModel | undefined;
  /** Whether the agent has an API; `no` by default. */
  apiAccess?: ApiAccess | undefined;
};

/** Changes of an agent: new values of fields. Null stands for the default of a field that a registration may leave out. */
export type AgentPatch = {
  [Field in keyof NewAgentInput]?:
    | NewAgentInput[Field]
    | (undefined extends NewAgentInput[Field] ? null : never)
    | undefined;
};

/** What is wrong with an agent. */
export type ReportReason = 'misleading' | 'impersonation' | 'harmful' | 'spam' | 'broken' | 'other';

/** A problem with an agent, for the operator. */
export type NewReportInput = {
  /** The id of the agent: a UUID. */
  id: string;
  /** What is wrong with the agent. */
  reason: ReportReason;
  /** Details: at most 1,000 characters; none by default. */
  text?: string | null | undefined;
};

/** A report as it is stored. Only operators read it. */
export type Report = {
  /** What is wrong with the agent. */
  reason: ReportReason;
  /** Details, or null. */
  text: string | null;
  /** The time of the report: ISO 8601 in UTC. */
  createdAt: string;
};

/** What the registry itself knows of an agent. */
export type EntryFacts = {
  /** How often the agent was read in the last 30 days, without crawlers; null below five, except for its owner. */
  monthlyViews: number | null;
  /** The views of each of these days in UTC, oldest first; only for the owner. */
  viewsByDay?:
    | {
        /** The day, such as `2026-11-21`. */
        day: string;
        /** The views of that day. */
        views: number;
      }[]
    | undefined;
  /** From where an entry that nobody has claimed was imported, the origin of its texts first; absent for others. */
  sources?:
    | {
        /** The name of the source. */
        attribution: string;
        /** The licence of its texts. */
        licence: string;
        /** The day in UTC on which the entry was last imported. */
        day: string;
        /** What the source says of an entry that it deprecates; absent for others. */
        deprecated?: string | undefined;
      }[]
    | undefined;
  /** Entries with the same website, of which an import brought the one and somebody registered the other. */
  besides?:
    | {
        /** Its id. */
        id: string;
        /** Its name. */
        name: string;
      }[]
    | undefined;
  /** When its connections changed last: ISO 8601 in UTC; absent if that was more than 30 days ago. */
  connectionsChangedAt?: string | undefined;
  /** What its connections answered last; absent where the registry does not ask them. */
  connections?:
    | {
        /** The kind and address of the connection. */
        address: string;
        /** What became of the check. */
        result: 'answered' | 'sign-in' | 'other' | 'silent';
        /** The number of tools of an MCP server; null if it did not tell them. */
        tools: number | null;
        /** Why it did not answer, for the owner; empty for others. */
        reason: string;
        /** When it was checked: ISO 8601 in UTC. */
        checkedAt: string;
      }[]
    | undefined;
  /** The MCP server that it is at `/v0.1`; absent for an agent that is none. */
  server?: ServerFacts | undefined;
  /** Whether the host of the website answers; null where the registry does not ask it. */
  website: {
    /** The host of the website. */
    host: string;
    /** When the host last answered the registry; null if it has not yet, or does not any more. */
    answeredAt: string | null;
    /** Since when the host has not answered, seen from the registry; null before that is certain enough. */
    silentSince: string | null;
  } | null;
};

/** Values for a registration, from descriptions on a website. */
export type Prefill = {
  /** The values that were found, each valid for its field. */
  fields: {
    /** The field. */
    field:
      | 'name'
      | 'description'
      | 'capabilities'
      | 'exampleTasks'
      | 'connections'
      | 'serverName'
      | 'website'
      | 'pricingModel'
      | 'apiAccess';
    /** Its value; a list for some fields. */
    value: string | string[] | Connection[];
    /** Where it was found. */
    source: string;
  }[];
  /** The id of a category that may fit, or null. */
  category: string | null;
  /** Another host to which the address redirects, or null. */
  redirectsTo: string | null;
};

/** The headline figures of the registry. */
export type Stats = {
  /** The number of registered agents. */
  totalAgents: number;
  /** The number of categories. */
  categories: number;
  /** How often agents were read in the last 30 days, without crawlers. */
  monthlyViews: number;
  /** The number of agents in each category, by its id. */
  agentsPerCategory: Record<string, number>;
};

/** An error in one field of a request. */
export type FieldError = {
  /** The field, such as `name` or `capabilities.3`; empty for the request as a whole. */
  field: string;
  /** What is wrong with the field. */
  message: string;
};
