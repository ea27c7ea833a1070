import { setImmediate } from 'node:timers/promises';
import { MAX_PAGE_SIZE, toCursor, type ListedAgent, type SortOrder } from '@agent-registry/contracts';
import { writeJson, type FieldsRequest } from './write-json.ts';

/** Reads a page of a list, the first one or that after a cursor. */
export type ReadPage = (page: { limit: number; after?: string }) => Promise<ListedAgent[]>;

/** The order of the list, and the fields of its agents. */
type FullListRequest = FieldsRequest & { sort?: SortOrder | undefined };

/**
 * Writes a list of any length as one JSON array, read page by page: other requests run between two pages, and no
 * more than a page is in memory. The first page is read before this resolves, so its errors are ordinary responses.
 */
export async function writeFullList(readPage: ReadPage, request: FullListRequest): Promise<AsyncIterable<string>> {
  const first = await readPage({ limit: MAX_PAGE_SIZE });
  return writePages(first, readPage, request);
}

async function* writePages(
  first: ListedAgent[],
  readPage: ReadPage,
  { sort = 'newest', fields }: FullListRequest,
): AsyncGenerator<string> {
  let page = first;
  let separator = '[';
  for (;;) {
    if (page.length > 0) {
      yield separator + writeJson(page, { fields }).slice(1, -1);
      separator = ',';
    }
    const last = page.at(-1);
    if (page.length < MAX_PAGE_SIZE || !last) break;
    // A read of SQLite takes no turn of the event loop.
    await setImmediate();
    page = await readPage({ limit: MAX_PAGE_SIZE, after: toCursor(last, sort) });
  }
  yield separator === '[' ? '[]' : ']';
}
