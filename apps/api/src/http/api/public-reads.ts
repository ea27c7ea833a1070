import {
  parseCursor,
  toCursor,
  type AgentFilters,
  type ListedAgent,
  type Page,
  type ReadName,
} from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import { toHttpError } from '../../http-error.ts';
import { RegistryError } from '../../registry-error.ts';
import type { RunProcedure, ValueOf } from '../../router.ts';
import type { CreateContext } from './context.ts';

/** Runs a procedure that reads, as everybody may. */
export type PublicRead = <Name extends ReadName>(name: Name, input?: object) => Promise<ValueOf<Name>>;

/** Creates the reads of a request. */
export type PublicReads = (request: FastifyRequest) => PublicRead;

/** Creates reads without the key of an owner, who may also read an agent that is not listed. */
export function createPublicReads(createContext: CreateContext, runProcedure: RunProcedure): PublicReads {
  return (request) =>
    async (name, input = {}) =>
      (await runProcedure(name, { ...createContext(request), key: undefined }, input)).value;
}

/** A search for a page of results. */
export type PublicSearch = AgentFilters & {
  text: string;
  /** The largest number of agents in the page. */
  limit: number;
  /** The cursor after which the page starts. */
  after?: string | undefined;
};

/**
 * Searches as `GET /api/search` does. With `isKept`, the results are those of its first 1,000 that are kept, in the same
 * order: for conditions that the search has no filter for.
 */
export async function searchAgents(
  read: PublicRead,
  { text: q, limit, after, ...filters }: PublicSearch,
  isKept?: (agent: ListedAgent) => boolean,
): Promise<Page> {
  if (!isKept) return readPage(read, 'agents.search', { q, ...filters, limit, after, position: true });
  const { agents: all, full, correction } = await read('agents.search', { q, ...filters });
  const kept = all.filter(isKept);
  const start = after === undefined ? 0 : all.slice(0, countBefore(all, after)).filter(isKept).length;
  const agents = kept.slice(start, start + limit);
  const last = start + limit < kept.length ? agents.at(-1) : undefined;
  return {
    agents,
    total: kept.length,
    full: all.slice(0, full).filter(isKept).length,
    position: start + 1,
    next: last && toCursor(last, 'best', all.indexOf(last) + 1),
    correction,
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
  name: 'agents.list' | 'agents.search',
  page: { after?: string | undefined; [parameter: string]: unknown },
): Promise<Page> {
  try {
    return await read(name, page);
  } catch (error) {
    const isInvalid = page.after !== undefined && toHttpError(error as Error).status === 400;
    throw isInvalid ? new RegistryError('invalid', INVALID_CURSOR) : error;
  }
}
