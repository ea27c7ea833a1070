import { expect, test } from 'vitest';
import { parseCursor, toCursor, type CursorOrder } from './list.ts';
import { findTextFault } from './plain-text.ts';
import { toSortName } from './filters.ts';
import { makeAgent } from './testing/make-agent.ts';

const agent = makeAgent({ name: 'Ärzte 日本 🤖', rating: 4.5, reviewCount: 12 });

const encode = (value: unknown) => `1.${btoa(JSON.stringify(value)).replaceAll('=', '')}`;

test.each<[CursorOrder, (string | number)[]]>([
  ['newest', [agent.createdAt]],
  ['rating', [4.5, 12, agent.createdAt]],
  ['reviews', [12, 4.5, agent.createdAt]],
  ['name', ['arzte 日本 🤖']],
  ['best', [7]],
])('a cursor of the order %s holds the agent and its place', (order, values) => {
  expect(parseCursor(toCursor(agent, order, 7))).toEqual({ id: agent.id, place: { order, values } });
});

test('the cursor of the longest name is read again', () => {
  const name = `${'\u1100'.repeat(14)}\u1161\u11A8`.repeat(100);
  expect(findTextFault(name, { max: 100, isLine: true })).toBeUndefined();
  const [value] = parseCursor(toCursor({ ...agent, name }, 'name'))?.place?.values ?? [];
  expect(value).toBe(toSortName(name));
});

test('an id in a cursor, or for one, is read in lower case', () => {
  expect(parseCursor(agent.id.toUpperCase())).toEqual({ id: agent.id });
  expect(parseCursor(encode(['best', agent.id.toUpperCase(), 1]))?.id).toBe(agent.id);
});

test.each([
  '',
  'x',
  '1.',
  '1.!!!',
  `2.${toCursor(agent, 'name').slice(2)}`,
  encode(null),
  encode({ order: 'name' }),
  encode(['oldest', agent.id, agent.createdAt]),
  encode(['name', 'no id', 'a']),
  encode(['name', agent.id]),
  encode(['name', agent.id, 'a', 'b']),
  encode(['name', agent.id, 1]),
  encode(['name', agent.id, '\0']),
  encode(['name', agent.id, '\uD800']),
  encode(['rating', agent.id, '4.5', 12, agent.createdAt]),
  encode(['rating', agent.id, -1, 12, agent.createdAt]),
  encode(['reviews', agent.id, 2 ** 40, 1, agent.createdAt]),
  encode(['rating', agent.id, 4.55, 12, agent.createdAt]),
  encode(['rating', agent.id, 5.1, 12, agent.createdAt]),
  encode(['rating', agent.id, 4.5, 12, 'infinity']),
  encode(['reviews', agent.id, 1.5, 1, agent.createdAt]),
  encode(['newest', agent.id, '2026-02-30T00:00:00.000Z']),
  encode(['newest', agent.id, '2026-02-20']),
  encode(['best', agent.id, 'first']),
  encode(['best', agent.id, 1.5]),
  encode(['best', agent.id, 0]),
])('%j is no cursor', (text) => {
  expect(parseCursor(text)).toBeUndefined();
});
