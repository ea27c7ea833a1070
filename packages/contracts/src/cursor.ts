import { isAgentId } from './fields.ts';
import type { Agent } from './agent.ts';
import { isStorable } from './characters.ts';
import { sortValues, toSortName, type SortOrder } from './sort-orders.ts';

/** The order that a cursor belongs to; `best` is that of a search without another order. */
export type CursorOrder = SortOrder | 'best';

/**
 * A cursor of a list: an agent, and where it stood when the cursor was made, so that a list goes on from there even if the
 * agent has left it. The place holds the values that order the agent, or its position in the order `best`, from 1. A cursor
 * that is only the id of an agent has no place.
 */
export type Cursor = {
  id: string;
  place?: { order: CursorOrder; values: readonly (string | number)[] } | undefined;
};

/** The agent of a cursor. */
export type CursorAgent = Pick<Agent, 'id' | 'name' | 'rating' | 'reviewCount' | 'createdAt'>;

/** Longest cursor, in characters. */
export const MAX_CURSOR_LENGTH = 4_000;

const VERSION = '1.';

/** What orders an agent in a list. */
type PlaceValue = 'createdAt' | 'rating' | 'reviewCount' | 'sortName' | 'position';

const placeValues: Record<CursorOrder, readonly PlaceValue[]> = {
  newest: ['createdAt'],
  rating: ['rating', 'reviewCount', 'createdAt'],
  reviews: ['reviewCount', 'rating', 'createdAt'],
  name: ['sortName'],
  best: ['position'],
};

const MAX_COUNT = 2_147_483_647;

/** Whether a value can be one of an agent: an engine compares it with a column, whose type it must have. */
const isPossible: Record<PlaceValue, (value: unknown) => boolean> = {
  createdAt: (value) => typeof value === 'string' && isTime(value),
  rating: (value) => typeof value === 'number' && value >= 0 && value <= 5 && Number(value.toFixed(1)) === value,
  reviewCount: (value) => isCount(value),
  sortName: (value) => typeof value === 'string' && isStorable(value),
  position: (value) => isCount(value) && value !== 0,
};

/**
 * Writes the cursor of an agent in a list, as clients send it in `after` and `before`. It is opaque to them.
 * @param position the position of the agent in the list, from 1; only the order `best` needs it
 */
export function toCursor(agent: CursorAgent, order: CursorOrder, position = 1): string {
  const all = { ...agent, sortName: toSortName(agent.name), position };
  const values = placeValues[order].map((name) => all[name]);
  const bytes = new TextEncoder().encode(JSON.stringify([order, agent.id, ...values]));
  const base64 = btoa(String.fromCharCode(...bytes));
  return VERSION + base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads a cursor, or the id of an agent in its place; undefined for any other text. */
export function parseCursor(text: string): Cursor | undefined {
  if (isAgentId(text)) return { id: text.toLowerCase() };
  if (!text.startsWith(VERSION) || text.length > MAX_CURSOR_LENGTH) return undefined;
  const parts = parseParts(text.slice(VERSION.length));
  if (!Array.isArray(parts)) return undefined;
  const [order, id, ...values] = parts as unknown[];
  if (typeof id !== 'string' || !isAgentId(id) || !isOrder(order)) return undefined;
  return hasPlace(order, values) ? { id: id.toLowerCase(), place: { order, values } } : undefined;
}

function parseParts(base64: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function isOrder(value: unknown): value is CursorOrder {
  return value === 'best' || sortValues.some((order) => order === value);
}

function hasPlace(order: CursorOrder, values: readonly unknown[]): values is (string | number)[] {
  const names = placeValues[order];
  return values.length === names.length && names.every((name, index) => isPossible[name](values[index]));
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_COUNT;
}

/** Whether a text is a time as the registry writes it. */
function isTime(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}
