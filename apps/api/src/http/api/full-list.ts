import { setImmediate } from 'node:timers/promises';
import { MAX_PAGE_SIZE, type ListedAgent } from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';

/** A page of a list, by its cursor: the id of the last agent of the page before. */
export type ReadPage = (page: { limit: number; after?: string }) => Promise<ListedAgent[]>;

const CHANGED = 'The list changed while it was read; please try again';

/**
 * Writes a list of any length as one JSON array, read page by page: other requests run between two pages, and no
 * more than a page is in memory. The first page is read before this resolves, so its errors are ordinary responses.
 */
export async function writeFullList(readPage: ReadPage): Promise<AsyncIterable<string>> {
  const first = await readPage({ limit: MAX_PAGE_SIZE });
  return writePages(first, readPage);
}

async function* writePages(first: ListedAgent[], readPage: ReadPage): AsyncGenerator<string> {
  let page = first;
  let separator = '[';
  for (;;) {
    if (page.length > 0) {
      yield separator + JSON.stringify(page).slice(1, -1);
      separator = ',';
    }
    const last = page.at(-1);
    if (page.length < MAX_PAGE_SIZE || !last) break;
    // A read of SQLite takes no turn of the event loop.
    await setImmediate();
    page = await readNext(last.id);
  }
  yield separator === '[' ? '[]' : ']';

  async function readNext(after: string): Promise<ListedAgent[]> {
    try {
      return await readPage({ limit: MAX_PAGE_SIZE, after });
    } catch (cause) {
      // The agent of the cursor was hidden since the page before.
      const isCursorGone = cause instanceof TRPCError && cause.code === 'BAD_REQUEST';
      throw isCursorGone ? new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: CHANGED, cause }) : cause;
    }
  }
}
