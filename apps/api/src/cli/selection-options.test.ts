import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSelection, type SelectionOptions } from './selection-options.ts';

const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

async function writeIds(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'ids.txt');
  await writeFile(file, content);
  return file;
}

test.each<[SelectionOptions, SelectionOptions]>([
  [{ since: '2026-11-21' }, { since: '2026-11-21T00:00:00.000Z' }],
  [{ since: '2026-11-21T09:30:00+02:00' }, { since: '2026-11-21T07:30:00.000Z' }],
  [{ text: ' casino ' }, { text: 'casino' }],
  [{ host: 'Spam.EXAMPLE' }, { host: 'spam.example' }],
  [{ host: 'spam.example.' }, { host: 'spam.example' }],
  [{ host: 'bücher.example' }, { host: 'xn--bcher-kva.example' }],
  [{ email: '@spam.example' }, { email: '@spam.example' }],
  [{ hiddenAt: '2026-11-21T09:30:00.123Z' }, { hiddenAt: '2026-11-21T09:30:00.123Z' }],
])('%j are read as the selection %j', async (options, selection) => {
  expect(await readSelection([], options)).toEqual(selection);
});

test('a time span counts back from now', async () => {
  const now = Date.now();
  const { since = '' } = await readSelection([], { since: '2h' });
  expect(Date.parse(since)).toBeGreaterThanOrEqual(now - 7_200_000);
  expect(Date.parse(since)).toBeLessThanOrEqual(Date.now() - 7_200_000);
});

test('ids come from arguments and from the lines of a file, up to a tab', async () => {
  const file = await writeIds(`${two.toUpperCase()}\t2026-11-21\tName\r\n\n${one}\r\n`);
  expect(await readSelection([one], { file })).toEqual({ ids: new Set([one, two]) });
  expect(await readSelection([], { file: await writeIds('') })).toEqual({ ids: new Set() });
});

test.each<[SelectionOptions, RegExp]>([
  [{ since: 'today' }, /^--since must be a time, such as .* or a time span such as 30m, 2h or 7d\.$/],
  [{ since: '2026-02-30' }, /^--since must be a time/],
  [{ since: '2026-11-21T09:30:00' }, /^--since must be a time/],
  [{ text: ' ' }, /^--text must not be blank\.$/],
  [{ hiddenAt: '1h' }, /^--hidden-at must be a time, such as .*\.$/],
  [{ host: 'https://spam.example' }, /^--host must be the name of a host/],
  [{ host: '' }, /^--host must be the name of a host/],
  [{ email: 'owner' }, /^--email must be an address/],
])('%j are refused', async (options, reason) => {
  await expect(readSelection([], options)).rejects.toThrow(reason);
});

test('a line that is no id is refused by its number', async () => {
  const file = await writeIds(`${one}\nname\n`);
  await expect(readSelection([], { file })).rejects.toThrow(/^Line 2 of .*ids\.txt has no id of an agent\.$/);
});
