import type { SortOrder } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import type { AgentRow } from '../db/tables.ts';
import { toAgent } from './agent-rows.ts';
import type { AgentPage, PagePart } from './agent-store.ts';
import { isBeside, orderTerms, placeOf } from './list-orders.ts';
import { createListPlaces, type OrderedList, type Start } from './list-places.ts';
import type { ListSelection, SelectedList } from './list-selection.ts';

/** The pages of lists. */
export type ListPages = ReturnType<typeof createListPages>;

/** Creates the functions that read the rows and pages of lists. */
export function createListPages(engine: Engine, selection: ListSelection) {
  const { select, run } = selection;
  const { findPosition, findStart, findStartOfName } = createListPlaces(selection);
  return { readPage, readBatches, readInOrder };

  async function readPage(
    list: OrderedList,
    { limit, after, before, from, position }: PagePart,
    count: () => number | Promise<number>,
  ): Promise<AgentPage | undefined> {
    const start = await (from === undefined ? findStart(list, { after, before }) : findStartOfName(list, from));
    if (start === null) return undefined;
    const rows = await readRows(list, { limit: limit + 1, start });
    const page = rows.slice(0, limit);
    const isLonger = rows.length > limit;
    const isBefore = start?.side === 'before';
    if (isBefore) page.reverse();
    return {
      agents: page.map(toAgent),
      total: await count(),
      hasMore: isBefore || isLonger,
      hasPrevious: start !== undefined && (!isBefore || isLonger),
      ...(position && { position: await findPosition(list, start, page.length) }),
    };
  }

  /** The first rows of a list, or those beside a start, nearest first. */
  async function readRows(
    { sort = 'newest', ...selection }: OrderedList,
    { limit, start }: { limit: number; start: Start | undefined },
  ): Promise<AgentRow[]> {
    const rows = orderTerms(sort, start?.side ?? 'after').reduce(
      (query, [column, direction]) => query.orderBy(column, direction),
      (await select(selection))
        .selectAll()
        .$if(start !== undefined, (query) => query.where((where) => isBeside(where, { ...(start as Start), sort }))),
    );
    return run(selection, rows.limit(limit));
  }

  /**
   * Reads a whole list in batches. No place in the order `newest` ever changes, so each batch starts at the last one's end;
   * in another order an edit moves an agent past that, so the order is read first, as row numbers only.
   */
  async function* readBatches(list: OrderedList, size: number): AsyncGenerator<AgentRow[], void, undefined> {
    if (list.sort !== undefined && list.sort !== 'newest') {
      const seqs = await readOrder(list.sort, list);
      for (let begin = 0; begin < seqs.length; begin += size) yield readInOrder(seqs.slice(begin, begin + size));
      return;
    }
    let start: Start | undefined;
    for (;;) {
      const rows = await readRows(list, { limit: size, start });
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < size) return;
      start = { place: placeOf(last, 'newest'), side: 'after' };
    }
  }

  /** The row numbers of a list in its order. */
  async function readOrder(sort: SortOrder, list: SelectedList): Promise<number[]> {
    const ordered = orderTerms(sort, 'after').reduce(
      (query, [column, direction]) => query.orderBy(column, direction),
      (await select(list)).select('seq'),
    );
    return (await engine.readMuch(ordered)).map(({ seq }) => seq);
  }

  /** Reads rows in an order, without those that are gone. */
  async function readInOrder(seqs: readonly number[]): Promise<AgentRow[]> {
    if (seqs.length === 0) return [];
    const rows = await engine.db.selectFrom('agents').selectAll().where('seq', 'in', seqs).execute();
    const rowsBySeq = new Map(rows.map((row) => [row.seq, row]));
    return seqs.flatMap((seq) => rowsBySeq.get(seq) ?? []);
  }
}
