import { expect, test } from 'vitest';
import { createReadyEntries, type ReadyEntry } from './cache-entries.ts';

function makeEntry(body: string): ReadyEntry {
  return {
    key: body,
    readVersion: () => 1,
    version: 1,
    etags: { identity: '"1"', br: '"1-br"', gzip: '"1-gzip"' },
    head: { all: [], unchanged: [] },
    bodies: { identity: body },
    isDone: true,
    asked: undefined,
    packets: undefined,
    note: undefined,
    isView: false,
    route: '/',
  };
}

test('a long answer is kept as its bytes, which a text with letters like → takes twice', () => {
  const entries = createReadyEntries(1_000_000, () => expect.fail());
  for (const body of ['→', '→'.repeat(20_000)]) entries.add(makeEntry(body));
  expect(entries.get('→')?.bodies.identity).toBe('→');
  expect(entries.get('→'.repeat(20_000))?.bodies.identity).toEqual(Buffer.from('→'.repeat(20_000)));
});
