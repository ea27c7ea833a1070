import {
  agentIdSchema,
  changedAt,
  connectsOf,
  connectsOptions,
  toAgentPath,
  type ListedAgent,
  type SiteConfig,
} from '@agent-registry/contracts';
import { SERVER_CARD_PATH, SERVER_CARD_TYPE } from '../mcp/server-card.ts';

/** The path of the search interface. */
export const ARD_PATH = '/ard';
/** The path of the manifest, which robots.txt and pages name. */
export const ARD_MANIFEST_PATH = '/.well-known/ard.json';
/** The path of the same manifest as an AI Catalog. */
export const AI_CATALOG_PATH = '/.well-known/ai-catalog.json';
/** The media type of agents: their pages describe them as JSON-LD. */
export const AGENT_TYPE = 'application/ld+json';

/** An identifier of an entry, with its publisher and its name. */
const URN = /^urn:air:([a-zA-Z0-9.-]+)((?::[a-zA-Z0-9._-]+)+)$/;
/** Queries of the categories that the manifest names as examples. */
const MAX_CATEGORY_QUERIES = 3;

/** The publisher of all entries: the host of the public URL, without its port. */
function toPublisher(publicUrl: string): string {
  return new URL(publicUrl).hostname.replaceAll(/[^a-z\d.-]/g, '');
}

/** Lists what the registry publishes itself: its search interface and its MCP server. */
export function createManifest(publicUrl: string, { name, subject, summary, categories }: SiteConfig) {
  const publisher = toPublisher(publicUrl);
  const representativeQueries = [
    `Search for ${subject}`,
    ...categories.slice(0, MAX_CATEGORY_QUERIES).map((category) => `Find an agent for ${category.name}`),
  ];
  return {
    specVersion: '1.0',
    host: { displayName: name },
    entries: [
      {
        identifier: `urn:air:${publisher}:registry:agents`,
        displayName: name,
        type: 'application/ai-registry+json',
        url: publicUrl + ARD_PATH,
        description: summary,
        representativeQueries,
      },
      {
        identifier: `urn:air:${publisher}:mcp:agents`,
        displayName: `${name} (MCP)`,
        type: SERVER_CARD_TYPE,
        url: publicUrl + SERVER_CARD_PATH,
        description: summary,
        representativeQueries,
      },
    ],
  };
}

/** The tags of an agent: its category, its pricing model and the ways to connect to it. */
export function toTags({ category, pricingModel, connections }: ListedAgent): string[] {
  const ways = connectsOf(connections);
  return [
    category,
    pricingModel,
    ...connectsOptions.flatMap(({ value, label }) => (ways.includes(value) ? label : [])),
  ];
}

/** Describes an agent, without its contact address. Its owner's domain did not publish the entry, so no identifier has it. */
export function toEntry(agent: ListedAgent, publicUrl: string) {
  const { id, name, description, capabilities, exampleTasks, website, apiAccess } = agent;
  return {
    identifier: `urn:air:${toPublisher(publicUrl)}:agent:${id}`,
    displayName: name,
    type: AGENT_TYPE,
    url: publicUrl + toAgentPath(id),
    description,
    tags: toTags(agent),
    capabilities,
    // The schema of ARD demands two to five.
    ...(exampleTasks && exampleTasks.length > 1 && { representativeQueries: exampleTasks }),
    updatedAt: changedAt(agent),
    metadata: { website, apiAccess },
  };
}

/** The id of the agent with an identifier; null if this registry has no such agent, undefined for what is no identifier. */
export function readUrn(identifier: string, publicUrl: string): string | null | undefined {
  const [, publisher, name = ''] = URN.exec(identifier) ?? [];
  if (publisher === undefined) return undefined;
  const [, id] = /^:agent:([^:]+)$/.exec(name) ?? [];
  return publisher.toLowerCase() === toPublisher(publicUrl) ? (agentIdSchema.safeParse(id).data ?? null) : null;
}
