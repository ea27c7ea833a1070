import {
  CORRECTION_HEADER,
  FULL_MATCHES_HEADER,
  parseCursor,
  POSITION_HEADER,
  toCursor,
  TOTAL_HEADER,
  type AgentFilters,
  type ListedAgent,
  type ReadName,
} from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import { toHttpError } from '../../http-error.ts';
import { RegistryError } from '../../registry-error.ts';
import type { ProcedureResponse, RunProcedure } from '../../router.ts';
import type { Context } from '../../trpc.ts';
import type { CreateContext } from './context.ts';

/** What everybody may read. */
export type PublicReads = {
  /** Runs a procedure that reads. */
  read: (name: ReadName, input?: object) => Promise<ProcedureResponse>;
  agents: Pick<Context['agents'], 'findAll' | 'searchWhole'>;
  /** The most bytes of a page of agents as JSON. */
  pageBytes: number;
};

/** The procedures, and their context. */
export type Procedures = { createContext: CreateContext; runProcedure: RunProcedure };

/** The part of the largest page that these reads have, whose responses repeat texts. */
const PAGE_SHARE = 1 / 4;

/** Creates the reads of a request. Without the key of an owner, who may also read an agent that is not listed. */
export function createPublicReads(request: FastifyRequest, { createContext, runProcedure }: Procedures): PublicReads {
  const context = createContext(request);
  const pageBytes = context.pageBytes * PAGE_SHARE;
  return {
    read: (name, input = {}) => runProcedure(name, { ...createContext(request), pageBytes, key: undefined }, input),
    agents: context.agents,
    pageBytes,
  };
}

/** A search for a page of results. */
export type PublicSearch = AgentFilters & {
  text: string;
  /** The largest number of agents in the page. */
  limit: number;
  /** The cursor after which the page starts. */
  after?: string | undefined;
};

/** A page of results. */
export type PublicResults = {
  agents: ListedAgent[];
  total: number;
  /** The number of results with all words of the query, which come first. */
  full: number;
  /** The position of the first agent in the results, from 1; undefined if it is not known, after the first 1,000. */
  position: number | undefined;
  /** The cursor of the next page. */
  next?: string | undefined;
  /** The query that found the first agent, if by a correction or a synonym. */
  correctedQuery?: string | undefined;
};

/**
 * Searches as `GET /api/search` does. With `isKept`, the results are those of its first 1,000 that are kept, in the same
 * order: for conditions that the search has no filter for.
 */
export async function searchAgents(
  reads: PublicReads,
  { text: q, limit, after, ...filters }: PublicSearch,
  isKept?: (agent: ListedAgent) => boolean,
): Promise<PublicResults> {
  if (isKept) return searchKept(reads, { text: q, limit, after, ...filters }, isKept);
  const { body, headers } = await readPage(reads, 'agents.search', { q, ...filters, limit, after, position: true });
  const correction = headers[CORRECTION_HEADER];
  const position = headers[POSITION_HEADER];
  return {
    agents: body as ListedAgent[],
    total: Number(headers[TOTAL_HEADER]),
    full: Number(headers[FULL_MATCHES_HEADER]),
    position: position === undefined ? undefined : Number(position),
    next: readNext(headers),
    correctedQuery: correction === undefined ? undefined : decodeURIComponent(correction),
  };
}

/** Reads the first 1,000 results piece by piece, and then the agents of the page. */
async function searchKept(
  { agents, pageBytes }: PublicReads,
  { limit, after, ...search }: PublicSearch,
  isKept: (agent: ListedAgent) => boolean,
): Promise<PublicResults> {
  const { full, correction, agents: chunks } = await agents.searchWhole(search);
  const found: { id: string; keeps: boolean }[] = [];
  for await (const chunk of chunks) for (const agent of chunk) found.push({ id: agent.id, keeps: isKept(agent) });
  const kept = found.filter(({ keeps }) => keeps).map(({ id }) => id);
  const countKept = (end: number) => found.slice(0, end).filter(({ keeps }) => keeps).length;
  const start = after === undefined ? 0 : countKept(countBefore(found, after));
  const page = await agents.findAll(kept.slice(start, start + limit), pageBytes);
  const end = page.leftOut === undefined ? start + limit : kept.indexOf(page.leftOut);
  const last = end < kept.length ? page.agents.at(-1) : undefined;
  return {
    agents: page.agents,
    total: kept.length,
    full: countKept(full),
    position: start + 1,
    next: last && toCursor(last, 'best', found.findIndex(({ id }) => id === last.id) + 1),
    correctedQuery: correction,
  };
}

/** The number of results before the page of a cursor; by its position where its agent is no longer a result. */
function countBefore(found: readonly { id: string }[], after: string): number {
  const cursor = parseCursor(after);
  const index = found.findIndex(({ id }) => id === cursor?.id);
  const isOfOtherOrder = cursor?.place && cursor.place.order !== 'best';
  if (!cursor || isOfOtherOrder || (index === -1 && !cursor.place)) {
    throw new RegistryError('invalid', INVALID_CURSOR);
  }
  return index === -1 ? Math.max(0, Number(cursor.place?.values[0]) - 1) : index + 1;
}

const INVALID_CURSOR = 'The cursor is not that of a page of these results';

/**
 * Reads a page of a valid list or search.
 * @throws {RegistryError} for an invalid cursor, in words that do not name the parameter of the REST call
 */
export async function readPage(
  { read }: Pick<PublicReads, 'read'>,
  name: ReadName,
  page: { after?: string | undefined; [parameter: string]: unknown },
): Promise<ProcedureResponse> {
  try {
    return await read(name, page);
  } catch (error) {
    const isInvalid = page.after !== undefined && toHttpError(error as Error).status === 400;
    throw isInvalid ? new RegistryError('invalid', INVALID_CURSOR) : error;
  }
}

/** The cursor of the next page, from the headers of a page. */
export function readNext({ Link: link = '' }: ProcedureResponse['headers']): string | undefined {
  const [, address] = /<([^>]*)>; rel="next"/.exec(link) ?? [];
  if (address === undefined) return undefined;
  return new URL(address, 'http://localhost').searchParams.get('after') ?? undefined;
}
