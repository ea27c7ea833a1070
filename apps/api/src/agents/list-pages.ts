import { MAX_PAGE_BYTES, type Agent, type SortOrder } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { takeWithin } from '../db/take-within.ts';
import { agentSize, BATCH_SIZE, createAgentReader, type SizedKey } from './agent-reader.ts';
import type { AgentPage, PagePart } from './agent-store.ts';
import { isBeside, orderTerms, placeOf, type PlacedRow } from './list-orders.ts';
import { createListPlaces, type OrderedList, type Start } from './list-places.ts';
import type { ListSelection, SelectedList } from './list-selection.ts';

/** The pages of lists. */
export type ListPages = ReturnType<typeof createListPages>;

/** Creates the functions that read the agents and pages of lists: first their sizes, then as many rows as fit in memory. */
export function createListPages(engine: Engine, selection: ListSelection) {
  const { select, run } = selection;
  const { findPosition, findStart, findStartOfName } = createListPlaces(selection);
  const reader = createAgentReader(engine);
  const { readAgents, streamKeys, streamRows } = reader;
  return { ...reader, readPage, readOrder, streamList };

  async function readPage(
    list: OrderedList,
    part: PagePart,
    count: () => number | Promise<number>,
  ): Promise<AgentPage | undefined> {
    const { limit, after, before, from, position, maxBytes = MAX_PAGE_BYTES } = part;
    const start = await (from === undefined ? findStart(list, { after, before }) : findStartOfName(list, from));
    if (start === null) return undefined;
    const keys = await readKeys(list, { limit: limit + 1, start });
    const page = takeWithin(keys.slice(0, limit), maxBytes);
    const agents = await readAgents(page);
    // All agents of the page were hidden meanwhile.
    if (agents.length === 0 && page.length > 0) return readPage(list, part, count);
    const isLonger = keys.length > page.length;
    const isBefore = start?.side === 'before';
    if (isBefore) agents.reverse();
    return {
      agents,
      total: await count(),
      hasMore: isBefore || isLonger,
      hasPrevious: start !== undefined && (!isBefore || isLonger),
      ...(position && { position: await findPosition(list, start, agents.length) }),
    };
  }

  /** The keys of the first rows of a list, or of those beside a start, nearest first. */
  async function readKeys(
    { sort = 'newest', ...selection }: OrderedList,
    { limit, start }: { limit: number; start: Start | undefined },
  ): Promise<(SizedKey & PlacedRow)[]> {
    const rows = orderTerms(sort, start?.side ?? 'after').reduce(
      (query, [column, direction]) => query.orderBy(column, direction),
      (await select(selection))
        .select(['seq', 'id', 'created_at', 'rating', 'review_count', 'sort_name', agentSize.as('size')])
        .$if(start !== undefined, (query) => query.where((where) => isBeside(where, { ...(start as Start), sort }))),
    );
    return run(selection, rows.limit(limit));
  }

  /**
   * Streams a whole list. No place in the order `newest` ever changes, so each batch starts at the last one's end; in
   * another order an edit moves an agent past that, so the order is read first, as row numbers only.
   */
  async function* streamList(list: OrderedList): AsyncGenerator<Agent[], void, undefined> {
    if (list.sort !== undefined && list.sort !== 'newest') return yield* streamRows(await readOrder(list.sort, list));
    let start: Start | undefined;
    for (;;) {
      const keys = await readKeys(list, { limit: BATCH_SIZE, start });
      yield* streamKeys(keys);
      const last = keys.at(-1);
      if (!last || keys.length < BATCH_SIZE) return;
      start = { place: placeOf(last, 'newest'), side: 'after' };
    }
  }

  /** The row numbers of a list in its order. */
  async function readOrder(sort: SortOrder, list: SelectedList, limit?: number): Promise<number[]> {
    const ordered = orderTerms(sort, 'after').reduce(
      (query, [column, direction]) => query.orderBy(column, direction),
      (await select(list)).select('seq'),
    );
    const rows = await engine.readMuch(ordered.$if(limit !== undefined, (query) => query.limit(limit as number)));
    return rows.map(({ seq }) => seq);
  }
}
