// Written from the tables of the contract: npx -y pnpm@12 client-types --write
import type { Connection, NewConnection } from './connection-types.ts';

/** The id of a category. These are the usual ones; the operator of a registry can set others. */
export type CategoryId = 'chatbot' | 'automation' | 'analytics' | 'creative' | 'vision' | 'language' | (string & {});

/** An agent of the registry. */
export type Agent = {
  /** The id, set by the registry. */
  id: string;
  /** The name; several agents may have the same one. */
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
  /** What its owner calls its MCP server: the last part of its name at /v0.1, after the host of its website, once the owner has proved control of the host. Absent without a choice. */
  serverName?: string | undefined;
  /** The public address of the owner. */
  contactEmail: string;
  /** An http or https address, or null. */
  website: string | null;
  /** What the use of the agent costs. */
  pricingModel: 'free' | 'freemium' | 'paid' | 'enterprise';
  /** Whether the agent has an API. */
  apiAccess: 'yes' | 'no' | 'planned';
  /** The rating with one decimal, set by the registry. */
  rating: number;
  /** The number of reviews, set by the registry. */
  reviewCount: number;
  /** The time of the registration in UTC, set by the registry. */
  createdAt: string;
  /** The time of the last edit in UTC, set by the registry; absent before the first edit. */
  updatedAt?: string | undefined;
  /** When the registry last saw that the owner controls the website; absent if it did not. */
  websiteCheckedAt?: string | undefined;
  /** What the owner proved to control then: the whole host, only the listed page of it, both on port 443, or the repository that the page is in. Absent without a proof, and for an early one, which counts as page. */
  websiteProof?: 'host' | 'page' | 'repository' | undefined;
};

/** A registration. The registry trims texts and refuses unknown fields. */
export type NewAgentInput = {
  /** The name; several agents may have the same one. A registration may have at most 100 characters. */
  name: string;
  /** What the agent does, as plain text with line breaks. A registration may have at most 2,000 characters. */
  description: string;
  /** The id of the category. */
  category: CategoryId;
  /** What the agent can do, in a few words each. A registration may have at most 30 texts of at most 60 characters. */
  capabilities?: string[] | undefined;
  /** Tasks that one can give it, as sentences; absent if there are none. A registration may have at most 5 texts of at most 120 characters. */
  exampleTasks?: string[] | undefined;
  /** How to connect to it; absent if that is not known. */
  connections?: NewConnection[] | undefined;
  /** What its owner calls its MCP server: the last part of its name at /v0.1, after the host of its website, once the owner has proved control of the host. Absent without a choice. A registration may have at most 60 characters. */
  serverName?: string | undefined;
  /** The public address of the owner. A registration may have at most 254 characters. */
  contactEmail: string;
  /** An http or https address, or null. A registration may have at most 2,048 characters. */
  website?: string | null | undefined;
  /** What the use of the agent costs. */
  pricingModel?: 'free' | 'freemium' | 'paid' | 'enterprise' | undefined;
  /** Whether the agent has an API. */
  apiAccess?: 'yes' | 'no' | 'planned' | undefined;
};

/** Filters of a list. */
export type AgentFilters = {
  /** Only agents with one of these pricing models. */
  pricing?: readonly ('free' | 'freemium' | 'paid' | 'enterprise')[] | undefined;
  /** Only agents with one of these kinds of API access. */
  apiAccess?: readonly ('yes' | 'no' | 'planned')[] | undefined;
  /** Only agents to which one can connect in one of these ways. */
  connects?: readonly ('mcp' | 'a2a' | 'skill' | 'openapi')[] | undefined;
  /** yes: only agents whose owner proved to control the website, or the page of it. */
  proved?: readonly ('yes')[] | undefined;
  /** Only agents with this capability of 2 to 60 characters. Case, accents, blanks and punctuation do not matter. */
  capability?: string | undefined;
  /** Only agents first listed since this day in UTC. */
  since?: string | undefined;
};
