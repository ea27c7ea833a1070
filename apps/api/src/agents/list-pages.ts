import { setImmediate } from 'node:timers/promises';
import { MAX_PAGE_BYTES, parseCursor, type ListedAgent, type SortOrder } from '@agent-registry/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { AgentRow } from '../db/tables.ts';
import { agentColumns, readBySeqs, takeWithin, toAgent } from '../db/records.ts';
import {
  inOrder,
  isBeside,
  placeOf,
  runList,
  selectList,
  type Place,
  type PlacedRow,
  type SelectedList,
  type Side,
} from './list-selection.ts';

/** Where clients find the contact addresses: everywhere, or on the page of an agent and in the call that reads it. */
export type PublicContact = 'everywhere' | 'page';

/** The agents of a database, in lists with contact addresses or without. */
export type Lists = Engine & { publicContact: PublicContact };

/** A part of a list: its first agents, or those next to a cursor. */
export type PagePart = {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
  /** Whether the position of the page is counted. */
  position?: boolean | undefined;
  /** The most bytes of the page as JSON, after which it ends early; `MAX_PAGE_BYTES` by default. */
  maxBytes?: number | undefined;
};

export type AgentPage = {
  agents: ListedAgent[];
  /** The size of the full list. */
  total: number;
  hasMore: boolean;
  hasPrevious: boolean;
  /** The position of the first agent in the list, from 1; undefined if it was not asked for, unless it is known anyway. */
  position?: number | undefined;
};

/** The largest piece of a whole list that is in memory at once, in bytes of JSON. */
const PIECE_SIZE = 2 ** 20;
/** Agents whose sizes are read with one statement. */
export const BATCH_SIZE = 200;
/** Agents per chunk of a stream, few enough that other requests do not wait long. */
export const CHUNK_SIZE = 50;
/** More bytes than the names of the fields and the short fields take. */
const SHORT_FIELDS_SIZE = 1_000;

/** The most bytes that an agent takes as JSON, from the lengths of its columns. An escape takes two bytes, and lists are stored as JSON. */
const agentSize = sql<number>`(
  ${sql.lit(SHORT_FIELDS_SIZE)} + 2 * (${sumLengths(({ kind }) => kind === 'text' || kind === 'address')})
  + ${sumLengths(({ isList }) => isList)}
)`;

function sumLengths(isAmong: (column: (typeof agentColumns)[number]) => boolean): RawBuilder<number> {
  const lengths = agentColumns.filter(isAmong).map(({ column, kind, isOptional }) => {
    const length = `octet_length(${column})`;
    return sql.raw<number>(isOptional || kind === 'address' ? `coalesce(${length}, 0)` : length);
  });
  return sql.join(lengths, sql` + `);
}

/** The key of a row, and the most bytes that its agent takes as JSON. */
type SizedKey = Pick<AgentRow, 'seq' | 'id'> & { size: number };

type OrderedList = SelectedList & { sort?: SortOrder | undefined };

type Start = { place: Place; side: Side };

export async function readPage(
  lists: Lists,
  list: OrderedList,
  part: PagePart,
  count: () => number | Promise<number>,
): Promise<AgentPage | undefined> {
  const { limit, position, maxBytes = MAX_PAGE_BYTES } = part;
  const start = await findStart(lists, list, part);
  if (start === null) return undefined;
  const keys = await readKeys(lists, list, { limit: limit + 1, start });
  const page = takeWithin(keys.slice(0, limit), maxBytes);
  const agents = await readAgents(lists, page);
  // All agents of the page were hidden meanwhile.
  if (agents.length === 0 && page.length > 0) return readPage(lists, list, part, count);
  const isLonger = keys.length > page.length;
  const isBefore = start?.side === 'before';
  if (isBefore) agents.reverse();
  return {
    agents,
    total: await count(),
    hasMore: isBefore || isLonger,
    hasPrevious: start !== undefined && (!isBefore || isLonger),
    ...(position && { position: await findPosition(lists, list, start, agents.length) }),
  };
}

/** The keys of the first rows of a list, or of those beside a start, nearest first. */
async function readKeys(
  engine: Engine,
  { sort = 'newest', ...selection }: OrderedList,
  { limit, start }: { limit: number; start: Start | undefined },
): Promise<(SizedKey & PlacedRow)[]> {
  const rows = (await selectList(engine, selection))
    .select(['seq', 'id', 'created_at', 'rating', 'review_count', 'sort_name', agentSize.as('size')])
    .$if(start !== undefined, (query) => query.where((where) => isBeside(where, { ...(start as Start), sort })))
    .$call(inOrder(sort, start?.side))
    .limit(limit);
  return runList(engine, selection, rows);
}

/**
 * Streams a whole list in chunks of at least one agent and at most 1 MiB, read on demand. Each agent comes once, one that
 * is renamed meanwhile, too; an agent that is added or removed meanwhile at most once. No place in the order `newest` ever
 * changes, so each batch starts at the last one's end; another order is read first, as row numbers only.
 */
export async function* streamList(lists: Lists, list: OrderedList): AsyncGenerator<ListedAgent[], void, undefined> {
  if (list.sort !== undefined && list.sort !== 'newest') {
    return yield* streamRows(lists, await readOrder(lists, list.sort, list));
  }
  let start: Start | undefined;
  for (;;) {
    const keys = await readKeys(lists, list, { limit: BATCH_SIZE, start });
    yield* streamKeys(lists, keys);
    const last = keys.at(-1);
    if (!last || keys.length < BATCH_SIZE) return;
    start = { place: placeOf(last, 'newest'), side: 'after' };
  }
}

/** The row numbers of a list in its order. */
export async function readOrder(engine: Engine, sort: SortOrder, list: SelectedList, limit?: number) {
  const ordered = (await selectList(engine, list)).select('seq').$call(inOrder(sort));
  const rows = await engine.readMuch(ordered.$if(limit !== undefined, (query) => query.limit(limit as number)));
  return rows.map(({ seq }) => seq);
}

async function findPosition(
  engine: Engine,
  { sort = 'newest', ...selection }: OrderedList,
  start: Start | undefined,
  length: number,
): Promise<number> {
  if (!start) return 1;
  const { place, side } = start;
  const [counted] = await runList(
    engine,
    selection,
    (await selectList(engine, selection))
      .select((earlier) => earlier.fn.countAll<number>().as('agents'))
      // The agent of the place comes before a page that starts after it.
      .where((where) => isBeside(where, { place, side: 'before', sort, isIncluded: side === 'after' })),
  );
  const earlier = counted?.agents ?? 0;
  return side === 'after' ? earlier + 1 : earlier - length + 1;
}

/** The start of a page; undefined for the first page, null when its cursor is of another order, or of no agent in the list. */
async function findStart(engine: Engine, { sort = 'newest', ...selection }: OrderedList, { after, before }: PagePart) {
  const cursor = parseCursor(after ?? before ?? '');
  if (!cursor) return undefined;
  const { id, place } = cursor;
  const side: Side = after === undefined ? 'before' : 'after';
  if (place) return place.order === sort ? { place: { id, values: place.values }, side } : null;
  const [row] = await runList(
    engine,
    selection,
    (await selectList(engine, selection)).selectAll().where('id', '=', id),
  );
  return row ? { place: placeOf(row, sort), side } : null;
}

/** Streams the agents of rows in an order, without those that are gone. */
export async function* streamRows(lists: Lists, seqs: readonly number[]) {
  for (let begin = 0; begin < seqs.length; begin += BATCH_SIZE) {
    yield* streamKeys(lists, await findKeys(lists, 'seq', seqs.slice(begin, begin + BATCH_SIZE)));
  }
}

/** Streams agents by their keys, in the same order, without those that are gone. */
async function* streamKeys(lists: Lists, keys: readonly SizedKey[]): AsyncGenerator<ListedAgent[], void, undefined> {
  for (let rest = keys; rest.length > 0;) {
    const piece = takeWithin(rest.slice(0, CHUNK_SIZE), PIECE_SIZE);
    rest = rest.slice(piece.length);
    const agents = await readAgents(lists, piece);
    if (agents.length > 0) yield agents;
    // SQLite reads are synchronous: without this pause the stream would block the event loop.
    await setImmediate();
  }
}

/** Finds the keys of rows in an order, without those that are gone. */
export async function findKeys({ db }: Engine, column: 'seq' | 'id', values: readonly (number | string)[]) {
  if (values.length === 0) return [];
  const keys = await db
    .selectFrom('agents')
    .select(['seq', 'id', agentSize.as('size')])
    .where(column, 'in', values as string[])
    .execute();
  const byValue = new Map<number | string, SizedKey>(keys.map((key) => [key[column], key]));
  return values.flatMap((value) => byValue.get(value) ?? []);
}

/** Reads agents by their keys, in the same order, without those that are gone. */
export async function readAgents({ db, publicContact }: Lists, keys: readonly SizedKey[]): Promise<ListedAgent[]> {
  const seqs = keys.map(({ seq }) => seq);
  const rows = await readBySeqs(db, seqs);
  return rows.map((row) => toListed(row, publicContact));
}

export function toListed(row: AgentRow, publicContact: PublicContact): ListedAgent {
  const agent = toAgent(row);
  return publicContact === 'page' ? withoutContact(agent) : agent;
}

export function withoutContact(agent: ListedAgent): ListedAgent {
  return { ...agent, contactEmail: null };
}
