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
import type { CreateContext } from './context.ts';

/** Runs a procedure that reads, as everybody may. */
export type PublicRead = (name: ReadName, input?: object) => Promise<ProcedureResponse>;

/** The procedures, and their context. */
export type Procedures = { createContext: CreateContext; runProcedure: RunProcedure };

/** Creates the reads of a request. Without the key of an owner, who may also read an agent that is not listed. */
export function createPublicRead(request: FastifyRequest, { createContext, runProcedure }: Procedures): PublicRead {
  return (name, input = {}) => runProcedure(name, { ...createContext(request), key: undefined }, input);
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
  read: PublicRead,
  { text: q, limit, after, ...filters }: PublicSearch,
  isKept?: (agent: ListedAgent) => boolean,
): Promise<PublicResults> {
  const page = isKept ? {} : { limit, after, position: true };
  const { body, headers } = await readPage(read, 'agents.search', { q, ...filters, ...page });
  const found = body as ListedAgent[];
  const correction = headers[CORRECTION_HEADER];
  const correctedQuery = correction === undefined ? undefined : decodeURIComponent(correction);
  const full = Number(headers[FULL_MATCHES_HEADER]);
  if (!isKept) {
    const position = headers[POSITION_HEADER];
    return {
      agents: found,
      total: Number(headers[TOTAL_HEADER]),
      full,
      position: position === undefined ? undefined : Number(position),
      next: readNext(headers),
      correctedQuery,
    };
  }
  const kept = found.filter(isKept);
  const start = after === undefined ? 0 : found.slice(0, countBefore(found, after)).filter(isKept).length;
  const agents = kept.slice(start, start + limit);
  const last = start + limit < kept.length ? agents.at(-1) : undefined;
  return {
    agents,
    total: kept.length,
    full: found.slice(0, full).filter(isKept).length,
    position: start + 1,
    next: last && toCursor(last, 'best', found.indexOf(last) + 1),
    correctedQuery,
  };
}

/** The number of results before the page of a cursor; by its position where its agent is no longer a result. */
function countBefore(found: readonly ListedAgent[], after: string): number {
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
  read: PublicRead,
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
  const [, address] = /<([^<>]*)>; rel="next"/.exec(link) ?? [];
  if (address === undefined) return undefined;
  return new URL(address, 'http://localhost').searchParams.get('after') ?? undefined;
}
