import type { Agent, NewAgentInput } from './agent-types.ts';
import type { Connection, ServerFacts } from './connection-types.ts';

/** What the use of an agent costs. */
export type PricingModel = Agent['pricingModel'];

/** Whether an agent has an API. */
export type ApiAccess = Agent['apiAccess'];

/** The order of a list. */
export type SortOrder = 'newest' | 'rating' | 'reviews' | 'name';

/** An agent of a list. */
export type ListedAgent = Omit<Agent, 'contactEmail'> & {
  /** The public address of the owner; null if the registry gives it with a single agent only. */
  contactEmail: string | null;
};

/** A text that proves control of a website, once it is found there. */
export type WebsiteChallenge = {
  /** The text. */
  challenge: string;
  /** When the text expires: ISO 8601 in UTC. */
  expiresAt: string;
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
};

/** Values for a registration, from descriptions on a website. */
export type Prefill = {
  /** The values that were found, each valid for its field. */
  fields: {
    /** The field. */
    field: Exclude<keyof NewAgentInput, 'category' | 'contactEmail'>;
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
