import { expect, test } from 'vitest';
import { hostileFiles } from '../testing/hostile-files.ts';
import { fileReaders } from './file-worker.ts';
import { createFileReader } from './read-file.ts';

/** Half the bytes of a file that are read: what takes seconds at this length would hold up the test. */
const LENGTH = 131_072;
const url = 'https://website.example/file';
const page = { text: '\uFEFF<title>Front Desk – Home</title>', type: 'text/html', url };

test.each(hostileFiles.filter(({ kind }) => kind !== 'robots'))(
  'a hostile file gives a small value or none: $name',
  ({ kind, type, make }) => {
    let value: unknown;
    try {
      value = fileReaders[kind]({ text: make(LENGTH), type, url });
    } catch (error) {
      expect((error as Error).message).toMatch(/too many (?:open elements|attributes)$/);
    }
    expect(JSON.stringify(value ?? '').length).toBeLessThan(20_000);
  },
);

test('a file that takes too much processor time has no value, and the files after it have theirs', async () => {
  const readFile = createFileReader();
  const { kind, type, make } = hostileFiles.find(({ name }) => name === 'robots: many agents and rules')!;
  const endless = readFile(kind, { text: make(LENGTH / 2), type, url });
  const next = readFile('descriptions', page);
  await expect(endless).rejects.toThrow(/processor time|memory limit/);
  expect(await next).toMatchObject([{ kind: 'open-graph' }, { kind: 'page', values: { name: 'Front Desk' } }]);
  expect(await readFile('robots', { text: 'User-agent: *\nDisallow: /', type, url })).toBe(false);
});

test('the page of a claim is read before descriptions that wait', async () => {
  const readFile = createFileReader();
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  await Promise.all([
    readFile('descriptions', page).then(note('first')),
    readFile('descriptions', page).then(note('second')),
    readFile('robots', page).then(note('robots')),
    readFile('challenges', page).then(note('claim')),
  ]);
  expect(order).toEqual(['first', 'claim', 'second', 'robots']);
});

test('a page beyond the bounds of its elements has no value, and the thread goes on', async () => {
  const readFile = createFileReader();
  await expect(readFile('challenges', { ...page, text: '<b>'.repeat(513) })).rejects.toThrow('too many open elements');
  const attributes = Array.from({ length: 257 }, (_, index) => ` a${index}`).join('');
  await expect(readFile('challenges', { ...page, text: `<a${attributes}>` })).rejects.toThrow('too many attributes');
  const nested = `${'<b>'.repeat(500)}${'</b>'.repeat(500)}`.repeat(3);
  expect(await readFile('descriptions', { ...page, text: page.text + nested })).toHaveLength(2);
});
