import {
  CARDS_PER_PAGE,
  CORRECTION_HEADER,
  FULL_MATCHES_HEADER,
  POSITION_HEADER,
  TOTAL_HEADER,
  UNDERSTOOD_HEADER,
  type BrowseParams,
  type ListedAgent,
  type ListStart,
  type ReadName,
} from '@agent-registry/contracts';
import { toHttpError } from '../../../http-error.ts';
import type { MarkdownContext } from './markdown-pages.ts';

/** A page of a list. */
export type ListPage = {
  agents: ListedAgent[];
  /** The length of the whole list. */
  total: number;
  /** The position of the first of these agents in the whole list, from 1. */
  position: number;
  /** The number of agents with all words of a search. */
  full: number | undefined;
  /** The corrected text of a search. */
  correction: string | undefined;
  /** The search text as operators, if it has any. */
  understood: string | undefined;
  /** The cursors of the pages beside this one. */
  before: string | undefined;
  after: string | undefined;
};

/** Reads the agents that a page shows of a list. A list that does not have the cursor starts with its first agent. */
export async function readListPage(read: MarkdownContext['read'], list: BrowseParams): Promise<ListPage> {
  const { after, before, from } = list;
  const start = after ?? before ?? from;
  if (start === undefined) return readFrom(read, list, {});
  try {
    return await readFrom(read, list, { after, before, from, position: true });
  } catch (error) {
    if (toHttpError(error as Error).status !== 400) throw error;
    return readFrom(read, list, {});
  }
}

async function readFrom(
  read: MarkdownContext['read'],
  list: BrowseParams,
  start: ListStart & { position?: true },
): Promise<ListPage> {
  const [procedure, request] = toRequest(list);
  const { body, headers } = await read(procedure, { ...request, ...start, limit: CARDS_PER_PAGE });
  const agents = body as ListedAgent[];
  const { Link = '', [CORRECTION_HEADER]: correction, [UNDERSTOOD_HEADER]: understood } = headers;
  const { [FULL_MATCHES_HEADER]: full } = headers;
  return {
    agents,
    total: Number(headers[TOTAL_HEADER] ?? agents.length),
    position: Number(headers[POSITION_HEADER] ?? 1),
    full: full === undefined ? undefined : Number(full),
    correction: correction === undefined ? undefined : decodeURIComponent(correction),
    understood: understood === undefined ? undefined : decodeURIComponent(understood),
    before: readCursor(Link, 'prev', 'before'),
    after: readCursor(Link, 'next', 'after'),
  };
}

/** The procedure of a list, and its request. A category wins over a text. */
function toRequest({ category, text, correct, ...list }: BrowseParams): [ReadName, object] {
  const { pricing, apiAccess, proved, capability, since, sort } = list;
  const options = { pricing, apiAccess, proved, capability, since, sort };
  if (category !== undefined) return ['agents.byCategory', { ...options, category }];
  return text === '' ? ['agents.list', options] : ['agents.search', { ...options, q: text, correct }];
}

/** Reads the cursor of a page beside this one from a `Link` header. */
function readCursor(links: string, relation: string, parameter: string): string | undefined {
  const [, query] = new RegExp(String.raw`<[^>?]*\?([^>]*)>; rel="${relation}"`).exec(links) ?? [];
  return new URLSearchParams(query).get(parameter) ?? undefined;
}
