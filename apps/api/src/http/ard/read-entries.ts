import { connectsOptions, toAgentPath, type ListedAgent, type Page } from '@agent-registry/contracts';
import type { z } from 'zod';
import { toHttpError } from '../../http-error.ts';
import { RegistryError } from '../../registry-error.ts';
import { readPage, searchAgents, type PublicReads } from '../api/public-reads.ts';
import { AGENT_TYPE, ARD_PATH, CATALOG_PATH, CATALOG_TYPE, hasType, toEntry, toTags, waysOf } from './entries.ts';
import type { listSchema, searchSchema } from './requests.ts';

/** Agents in a page of the catalogue. */
const CATALOG_SIZE = 200;

/** Where entries are read, and the address that they contain. */
type EntryContext = PublicReads & { publicUrl: string };

/** Finds entries by a text, best match first. Filters leave some of the first 1,000 results. */
export async function searchEntries(
  { publicUrl, ...reads }: EntryContext,
  { query, pageSize, pageToken }: z.output<typeof searchSchema>,
): Promise<object> {
  const { type, tags, capabilities } = query.filter;
  const ways = type && !type.has(AGENT_TYPE) ? waysOf(type) : undefined;
  if (ways?.length === 0) return { results: [] };
  const isKept = (agent: ListedAgent) =>
    (!type || hasType(agent, type)) &&
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

/** A page of all entries, newest first. */
export async function listEntries(
  { publicUrl, ...reads }: EntryContext,
  { pageSize: limit, pageToken: after }: z.output<typeof listSchema>,
): Promise<object> {
  const { agents, total, next } = await readPage(reads, 'agents.list', { limit, after });
  const items = agents.map((agent) => toEntry(agent, publicUrl));
  return { items, total, ...(next !== undefined && { pageToken: next }) };
}

/** The agents that one can connect to, by page: the last entry of a page is the page after it. */
export async function listCatalog({ publicUrl, ...reads }: EntryContext, after: string | undefined): Promise<object> {
  const connects = connectsOptions.map(({ value }) => value);
  const { agents, next } = await readPage(reads, 'agents.list', { limit: CATALOG_SIZE, after, connects });
  const entries = agents
    // Only publishers may name their entries by a URN.
    .map((agent) => ({ ...toEntry(agent, publicUrl), identifier: publicUrl + toAgentPath(agent.id) }))
    .filter(({ type }) => type !== AGENT_TYPE);
  const following = next === undefined ? [] : [toNextPage(publicUrl, next)];
  return { specVersion: '1.0', entries: [...entries, ...following] };
}

function toNextPage(publicUrl: string, next: string) {
  const url = `${publicUrl}${CATALOG_PATH}?pageToken=${encodeURIComponent(next)}`;
  return { identifier: url, displayName: 'More agents', type: CATALOG_TYPE, url };
}

/**
 * The entry of an agent.
 * @throws {RegistryError} if no agent has the id
 */
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

/**
 * The score of a result by its position: 51 to 100 with all words of the query, 1 to 50 with some of them. Pages of one
 * search continue each other.
 */
function toScore({ position, full = 0, total }: Page, index: number): number {
  // A result may have left since the total was counted.
  const place = Math.max(0, Math.min((position ?? total) + index, total) - 1);
  const [best, rank, amount] = place < full ? [100, place, full] : [50, place - full, total - full];
  return Math.max(1, best - Math.floor((50 * rank) / Math.max(1, amount)));
}
