import {
  addressOf,
  agentIdSchema,
  changedAt,
  connectsOptions,
  isSafeConnection,
  labelsOfWays,
  SKILL_PATH,
  toAgentPath,
  toSkillType,
  type Connection,
  type Connects,
  type ListedAgent,
  type SiteConfig,
  type Page,
} from '@agent-registry/contracts';
import type { z } from 'zod';
import { isServer, toNamespace } from '../../servers/server-names.ts';
import type { ServerStore } from '../../servers/server-store.ts';
import { SERVER_CARD_PATH, SERVER_CARD_TYPE, toServerCardPath } from '../mcp/server-card.ts';
import { toHttpError } from '../../http-error.ts';
import { RegistryError } from '../../registry-error.ts';
import { readPage, searchAgents, type PublicReads } from '../api/public-reads.ts';
import type { listSchema, searchSchema } from './requests.ts';

const CATALOG_SIZE = 200;

export type EntryContext = PublicReads & { publicUrl: string; servers: Pick<ServerStore, 'factsOf'> };

export const ARD_PATH = '/ard';
/** The path of the catalogue of the agents that one can connect to. */
export const CATALOG_PATH = '/ard/catalog';
export const ARD_MANIFEST_PATH = '/.well-known/ard.json';
/** The path of the same manifest as an AI Catalog. */
export const AI_CATALOG_PATH = '/.well-known/ai-catalog.json';
const AGENT_TYPE = 'text/html';
export const REGISTRY_TYPE = 'application/ai-registry+json';
export const CATALOG_TYPE = 'application/ai-catalog+json';
const URN = /^urn:air:([a-zA-Z0-9.-]+)((?::[a-zA-Z0-9._-]+)+)$/;
const MAX_CATEGORY_QUERIES = 3;

/** The publisher of all entries: the host of the public URL, without its port. */
function toPublisher(publicUrl: string): string {
  return new URL(publicUrl).hostname.replaceAll(/[^a-z\d.-]/g, '');
}

export function createManifest(publicUrl: string, { name, subject, summary, categories }: SiteConfig) {
  const publisher = toPublisher(publicUrl);
  const representativeQueries = [
    `Search for ${subject}`,
    ...categories.slice(0, MAX_CATEGORY_QUERIES).map((category) => `Find an agent for ${category.name}`),
  ];
  const own = (kind: string, displayName: string, type: string, path: string) => ({
    identifier: `urn:air:${publisher}:agents${kind}`,
    displayName,
    type,
    url: publicUrl + path,
    description: summary,
    representativeQueries,
  });
  return {
    specVersion: '1.0',
    host: { displayName: name },
    entries: [
      own('', name, REGISTRY_TYPE, ARD_PATH),
      own(':mcp', `${name} (MCP)`, SERVER_CARD_TYPE, SERVER_CARD_PATH),
      own(':catalog', `${name} (agents to connect to)`, CATALOG_TYPE, CATALOG_PATH),
      own(':skill', `${name} (skill)`, toSkillType('md'), SKILL_PATH),
    ],
  };
}

function toTags(agent: ListedAgent): string[] {
  return [agent.category, agent.pricingModel, ...labelsOfWays(agent)];
}

/** The media types of connections, by kind. Of an MCP server this registry has the card. */
const types = {
  mcp: () => SERVER_CARD_TYPE,
  'mcp-package': () => SERVER_CARD_TYPE,
  a2a: () => 'application/a2a-agent-card+json',
  skill: (format = 'md') => toSkillType(format),
  openapi: () => 'application/openapi+json',
} satisfies Record<Connection['kind'], (format?: string) => string>;

function typeOf(connection: Connection): string {
  return connection.kind === 'skill' ? types.skill(connection.format) : types[connection.kind]();
}

/** The ways to connect that media types stand for. */
function waysOf(asked: ReadonlySet<string>): Connects[] {
  const formats = ['md', 'zip', 'gzip'];
  const isAsked = (kind: Connection['kind']) => formats.some((format) => asked.has(types[kind](format)));
  return connectsOptions.map(({ value }) => value).filter(isAsked);
}

/** The media type and address of an agent: of its first connection of an asked type, else of its first one, else its page. */
function toAddress(agent: ListedAgent, publicUrl: string, asked?: ReadonlySet<string>) {
  const { id, connections = [] } = agent;
  const hasCard = isServer(agent) && toNamespace(publicUrl) !== undefined;
  const offered = connections.filter(
    (connection) => isSafeConnection(connection) && (hasCard || typeOf(connection) !== SERVER_CARD_TYPE),
  );
  const own = offered.find((connection) => asked?.has(typeOf(connection)));
  const found = own ?? (asked?.has(AGENT_TYPE) ? undefined : offered[0]);
  if (!found) return { type: AGENT_TYPE, url: publicUrl + toAgentPath(id) };
  const type = typeOf(found);
  return { type, url: type === SERVER_CARD_TYPE ? publicUrl + toServerCardPath(id) : addressOf(found) };
}

/** Describes an agent, without its contact address. Its owner's domain did not publish the entry, so no identifier has it. */
function toEntry(agent: ListedAgent, publicUrl: string, asked?: ReadonlySet<string>) {
  const { id, name, description, capabilities, exampleTasks, website, apiAccess } = agent;
  return {
    identifier: `urn:air:${toPublisher(publicUrl)}:agent:${id}`,
    displayName: name,
    ...toAddress(agent, publicUrl, asked),
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

/** The registry's own entry with an identifier, in which the case of the host does not matter. */
export function findOwnEntry(identifier: string, publicUrl: string, siteConfig: SiteConfig) {
  return createManifest(publicUrl, siteConfig).entries.find((entry) => entry.identifier === identifier.toLowerCase());
}

/** Finds entries by a text, best match first. Filters leave some of the first 1,000 results. */
export async function searchEntries(
  { publicUrl, ...reads }: EntryContext,
  { query, pageSize, pageToken }: z.output<typeof searchSchema>,
): Promise<object> {
  const { type, tags, capabilities } = query.filter;
  const ways = type && !type.has(AGENT_TYPE) ? waysOf(type) : undefined;
  if (ways?.length === 0) return { results: [] };
  const isKept = (agent: ListedAgent) =>
    (!type || type.has(AGENT_TYPE) || (agent.connections ?? []).some((connection) => type.has(typeOf(connection)))) &&
    (!tags || toTags(agent).some((tag) => tags.has(tag))) &&
    (!capabilities || agent.capabilities.some((capability) => capabilities.has(capability)));
  const page = { text: query.text, limit: pageSize, after: pageToken, connects: ways };
  // The skills have several types.
  const isFiltered = tags !== undefined || capabilities !== undefined || ways?.includes('skill');
  const found = await searchAgents(reads, page, isFiltered ? isKept : undefined);
  const results = found.agents.map((agent, index) => ({
    ...toEntry(agent, publicUrl, type),
    score: toScore(found, index),
    source: publicUrl + ARD_PATH,
  }));
  return { results, ...(found.next !== undefined && { pageToken: found.next }) };
}

export async function listEntries(
  { publicUrl, ...reads }: EntryContext,
  { pageSize: limit, pageToken: after }: z.output<typeof listSchema>,
): Promise<object> {
  const { agents, total, next } = await readPage(reads, 'agents.list', { limit, after });
  const items = agents.map((agent) => toEntry(agent, publicUrl));
  return { items, total, ...(next !== undefined && { pageToken: next }) };
}

/** The agents that one can connect to, by page: the last entry of a page is the page after it. */
export async function listCatalog(
  { publicUrl, servers, ...reads }: EntryContext,
  { pageToken: after }: Pick<z.output<typeof listSchema>, 'pageToken'>,
): Promise<object> {
  const connects = connectsOptions.map(({ value }) => value);
  const { agents, next } = await readPage(reads, 'agents.list', { limit: CATALOG_SIZE, after, connects });
  const facts = await servers.factsOf(agents.map(({ id }) => id));
  const key = `${toPublisher(publicUrl).split('.').toReversed().join('.')}.facts`;
  const entries = agents
    .map((agent) => ({
      ...toEntry(agent, publicUrl),
      // Only publishers may name their entries by a URN.
      identifier: publicUrl + toAgentPath(agent.id),
      extensions: { [key]: facts.get(agent.id) ?? {} },
    }))
    .filter(({ type }) => type !== AGENT_TYPE);
  const following = next === undefined ? [] : [toNextPage(publicUrl, next)];
  return { specVersion: '1.0', entries: [...entries, ...following] };
}

function toNextPage(publicUrl: string, next: string) {
  const url = `${publicUrl}${CATALOG_PATH}?pageToken=${encodeURIComponent(next)}`;
  return { identifier: url, displayName: 'More agents', type: CATALOG_TYPE, url };
}

export async function getEntry({ read, publicUrl }: EntryContext, id: string | null): Promise<object> {
  const unknown = new RegistryError('not-found', 'No agent has this identifier');
  if (id === null) throw unknown;
  try {
    return toEntry(await read('agents.get', { id }), publicUrl);
  } catch (error) {
    // A withdrawn agent is 410 elsewhere, for which ARD has no code.
    throw toHttpError(error as Error).status === 410 ? unknown : error;
  }
}

/** The score of a result by its position: 51 to 100 with all words of the query, 1 to 50 with some of them. */
function toScore({ position, full = 0, total }: Page, index: number): number {
  // A result may have left since the total was counted.
  const place = Math.max(0, Math.min((position ?? total) + index, total) - 1);
  const [best, rank, amount] = place < full ? [100, place, full] : [50, place - full, total - full];
  return Math.max(1, best - Math.floor((50 * rank) / Math.max(1, amount)));
}
