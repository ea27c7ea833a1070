import {
  MAX_PAGE_BYTES,
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
import type { ValueOf } from '../../router.ts';
import type { Context } from '../../trpc.ts';
import type { CreateContext, RunProcedure } from './context.ts';

export type PublicRead = <Name extends ReadName>(name: Name, input?: object) => Promise<ValueOf<Name>>;
export type PublicReads = { read: PublicRead; agents: Pick<Context['agents'], 'findAll' | 'searchWhole'> };
export type ReadsOf = (request: FastifyRequest) => PublicReads;

/** The most bytes of a page of these reads, whose responses repeat texts. */
const PAGE_BYTES = MAX_PAGE_BYTES / 4;

/** Creates reads without the key of an owner, who may also read an agent that is not listed. */
export function createPublicReads(createContext: CreateContext, runProcedure: RunProcedure): ReadsOf {
  return (request) => ({
    agents: createContext(request).agents,
    async read(name, input = {}) {
      const context = { ...createContext(request), pageBytes: PAGE_BYTES, key: undefined };
      return (await runProcedure(name, context, input)).value;
    },
  });
}

export type PublicSearch = AgentFilters & {
  text: string;
  limit: number;
  after?: string | undefined;
};

/** Searches as `GET /api/search` does; with `isKept`, the results are those of its first 1,000 that are kept. */
export async function searchAgents(
  reads: PublicReads,
  { text: q, limit, after, ...filters }: PublicSearch,
  isKept?: (agent: ListedAgent) => boolean,
): Promise<Page> {
  if (isKept) return searchKept(reads.agents, { text: q, limit, after, ...filters }, isKept);
  return readPage(reads, 'agents.search', { q, ...filters, limit, after, position: true });
}

/** Reads the first 1,000 results piece by piece, and then the agents of the page. */
async function searchKept(
  agents: PublicReads['agents'],
  { limit, after, ...search }: PublicSearch,
  isKept: (agent: ListedAgent) => boolean,
): Promise<Page> {
  const { full, correction, stream } = await agents.searchWhole(search);
  const found: { id: string; keeps: boolean }[] = [];
  for await (const chunk of stream()) for (const agent of chunk) found.push({ id: agent.id, keeps: isKept(agent) });
  const kept = found.filter(({ keeps }) => keeps).map(({ id }) => id);
  const countKept = (end: number) => found.slice(0, end).filter(({ keeps }) => keeps).length;
  const start = after === undefined ? 0 : countKept(countBefore(found, after));
  const page = await agents.findAll(kept.slice(start, start + limit), PAGE_BYTES);
  const end = page.leftOut === undefined ? start + limit : kept.indexOf(page.leftOut);
  const last = end < kept.length ? page.agents.at(-1) : undefined;
  return {
    agents: page.agents,
    total: kept.length,
    full: countKept(full),
    position: start + 1,
    next: last && toCursor(last, 'best', found.findIndex(({ id }) => id === last.id) + 1),
    correction,
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

/** @throws {RegistryError} for an invalid text or cursor, in words that do not name the parameter of the REST call */
export async function readPage(
  { read }: Pick<PublicReads, 'read'>,
  name: 'agents.list' | 'agents.search',
  page: { after?: string | undefined; [parameter: string]: unknown },
): Promise<Page> {
  try {
    return await read(name, page);
  } catch (error) {
    const { status, detail } = toHttpError(error as Error);
    if (status !== 400) throw error;
    if (detail.startsWith('q ')) throw new RegistryError('invalid', `The text to search for${detail.slice(1)}`);
    throw page.after === undefined ? error : new RegistryError('invalid', INVALID_CURSOR);
  }
}
