import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createImportedAgentSchema, defaultCategories, type Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatOf } from './agent-file.ts';
import { type Entry, MAX_LINE_LENGTH } from './files.ts';
import { CommandError } from './command.ts';

const lineEnds = '-1\n"quoted", with\r\nall\rline ends\tand \u2028 those';
const asLineFeeds = '-1\n"quoted", with\nall\nline ends\tand \u2028 those';
const importedAgentSchema = createImportedAgentSchema(defaultCategories);

const nasty = [
  makeAgent({ name: '=HYPERLINK("https://example.com")', description: "'=1+1", capabilities: ['a, b', '"c"', '[d]'] }),
  makeAgent({ name: "''+1", description: lineEnds, website: null }),
  makeAgent({ name: '@sum 名前 🤖', description: 'Ends with a break in it:\n.', capabilities: ['=cmd', '-x'] }),
  makeAgent({ name: "O'Neill", rating: 4.5, reviewCount: 2_000_000, website: 'https://example.com/?a=1,2&b=%22;%22' }),
  makeAgent({ name: '42', description: 'null', capabilities: [] }),
  makeAgent({ exampleTasks: ['=Book a table, for four', 'Say "good evening" to them.'] }),
];

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
});

afterEach(() => rm(folder, { recursive: true }));

const ignore = () => {};

async function* inBatches(agents: readonly Agent[]) {
  for (let begin = 0; begin < agents.length; begin += 2) yield agents.slice(begin, begin + 2);
}

async function write(name: string, agents: readonly Agent[]): Promise<string> {
  const path = join(folder, name);
  const parts: string[] = [];
  for await (const part of formatOf(path).write!(inBatches(agents))) parts.push(part);
  await writeFile(path, parts.join(''));
  return path;
}

async function read(path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of formatOf(path).read(path, ignore)) entries.push(entry);
  return entries;
}

async function readText(name: string, text: string | Buffer): Promise<Entry[]> {
  const path = join(folder, name);
  await writeFile(path, text);
  return read(path);
}

describe.each(['a.ndjson', 'a.jsonl', 'a.json', 'a.CSV'])('the format of %s', (name) => {
  test('agents are read as they were written, and imported with line feeds', async () => {
    const entries = await read(await write(name, nasty));
    expect(entries.map(({ value }) => (value as Agent).description)).toEqual(
      nasty.map(({ description }) => description),
    );
    expect(entries.map(({ value }) => importedAgentSchema.parse(value))).toEqual(
      nasty.map((agent) => (agent.description === lineEnds ? { ...agent, description: asLineFeeds } : agent)),
    );
  });

  test('a file can have no agents', async () => {
    expect(await read(await write(name, []))).toEqual([]);
  });

  test('agents are read as a stream', async () => {
    const path = await write(
      name,
      Array.from({ length: 300 }, () => makeAgent({ description: 'Long enough: '.repeat(50) })),
    );
    const reads: number[] = [];
    let entries = 0;
    for await (const _ of formatOf(path).read(path, (bytes) => reads.push(bytes))) {
      entries += 1;
      if (entries === 1) expect(reads).toHaveLength(1);
    }
    expect(entries).toBe(300);
    expect(reads.length).toBeGreaterThan(3);
    expect(reads.reduce((sum, bytes) => sum + bytes)).toBe((await readFile(path)).length);
  });
});

test('a name with another extension is refused', () => {
  expect(() => formatOf('agents.xml')).toThrow(
    new CommandError('The name of agents.xml must end in .ndjson, .jsonl, .json, .csv or .md.'),
  );
});

describe('NDJSON', () => {
  test('reports lines that are not JSON or not UTF-8, and skips empty ones', async () => {
    const lines = ['\uFEFF{"a":1}', '', '{', '"\u2028"', '\u00FF'].map((line) => Buffer.from(`${line}\r\n`));
    lines[4] = Buffer.from([0x22, 0xff, 0x22]);
    expect(await readText('a.ndjson', Buffer.concat(lines))).toMatchObject([
      { number: 1, value: { a: 1 } },
      { number: 3, fault: 'The line is not valid JSON' },
      { number: 4, value: '\u2028' },
      { number: 5, fault: 'The line is not UTF-8' },
    ]);
  });
});

describe('JSON', () => {
  test('numbers the elements of the array', async () => {
    expect(await readText('a.json', ' \n[{"a":[{"b":1}]},\n null, "x"]')).toEqual([
      { number: 1, text: '{"a":[{"b":1}]}', value: { a: [{ b: 1 }] } },
      { number: 2, text: 'null', value: null },
      { number: 3, text: '"x"', value: 'x' },
    ]);
  });

  test.each(['servers', 'agents', 'data', 'entries', 'items', 'results'])(
    'an answer of a registry may have its list below %s',
    async (name) => {
      const [entry, ...others] = await readText('a.json', JSON.stringify({ count: 1, [name]: [{ name: 'A' }] }));
      expect([entry?.value, others]).toEqual([{ name: 'A' }, []]);
    },
  );

  test('JSON that is nested too deeply is reported', async () => {
    const nested = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(await readText('a.json', `[{"a":1},${nested},{"b":2}]`)).toMatchObject([
      { number: 1, value: { a: 1 } },
      { number: 2, fault: 'The entry is nested too deeply' },
      { number: 3, value: { b: 2 } },
    ]);
  });

  test.each(['{"agents":[]}', '"text"', ''])('%j is refused: not an array', async (text) => {
    await expect(readText('a.json', text)).rejects.toThrow(CommandError);
  });

  test.each(['[{"a":1},', '[{"a":1} {"b":2}]', '[{"a":1}]]', '[{"a":1}, nope]'])(
    'that is broken is refused: %j',
    async (text) => {
      await expect(readText('a.json', text)).rejects.toThrow(/a\.json is not valid JSON after its entry 1\.$/);
    },
  );

  test('JSON with an entry that is too long is refused', async () => {
    const long = `[{"a":1},"${'x'.repeat(2 * MAX_LINE_LENGTH)}"]`;
    await expect(readText('a.json', long)).rejects.toThrow(/^Entry 2 of .+a\.json is too long\.$/);
  });

  test('JSON that is not UTF-8 is refused', async () => {
    await expect(readText('a.json', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]))).rejects.toThrow(/is not UTF-8\.$/);
  });
});

describe('CSV', () => {
  test('columns are optional, in any order, and capabilities are separated by commas', async () => {
    const { name, description, category, contactEmail } = makeNewAgent();
    const text = [
      'capabilities,name,description,category,contactEmail,website,rating',
      `"PDF, OCR",${name},"Two`,
      `lines",${category},${contactEmail},,`,
      '',
      `"[""a, b""]",${name},${description},${category},${contactEmail},,4.5`,
    ].join('\r\n');
    const entries = await readText('a.csv', `\uFEFF${text}`);
    expect(entries.map(({ number }) => number)).toEqual([2, 5]);
    expect(entries.map(({ value }) => importedAgentSchema.parse(value))).toMatchObject([
      { name, capabilities: ['PDF', 'OCR'], description: 'Two\nlines', rating: 0, website: null },
      { name, capabilities: ['a, b'], description, rating: 4.5 },
    ]);
    expect(entries[1]?.text).toBe(text.split('\r\n').at(-1));
  });

  test('cells that a spreadsheet would run as formulas are escaped', async () => {
    const cells = (await readFile(await write('a.csv', nasty), 'utf8')).match(/"(?:[^"]|"")*"/g) ?? [];
    expect(cells.length).toBeGreaterThan(20);
    expect(cells.filter((cell) => /^"[=+\-@\t\r]/.test(cell))).toEqual([]);
  });

  test('texts that were stored earlier lose control characters and noncharacters, before formulas are escaped', async () => {
    const old = makeAgent({
      name: '\u0000=1+1\uFFFF',
      description: 'a\u001B[31m\u009B\tb\nc\uFFFE\uD800',
      capabilities: ['\uFDD0x'],
    });
    const [entry] = await read(await write('a.csv', [old]));
    expect(importedAgentSchema.parse(entry?.value)).toEqual({
      ...old,
      name: '=1+1',
      description: 'a[31m\tb\nc',
      capabilities: ['x'],
    });
    expect(await readFile(join(folder, 'a.csv'), 'utf8')).toContain(`"'=1+1"`);
  });

  test('rows with too few cells, or with a cell in no column, are reported, and empty ones are skipped', async () => {
    const text = 'name,category,,\nA\n,,,,\nA,B,C\n ,\t\nA,B,,\n';
    expect(await readText('a.csv', text)).toMatchObject([
      { number: 2, text: 'A', fault: 'The line has 1 cells and must have 2' },
      { number: 4, text: 'A,B,C', fault: 'The cell "C" is in no column' },
      { number: 6, text: 'A,B,,', value: { name: 'A', category: 'B' } },
    ]);
  });

  test.each([
    ['name,colour\n', /a\.csv names "colour", which is no column\. The columns are id, name, /],
    ['name,,category\n', /a\.csv names "", which is no column\./],
    ['name,name\n', /a\.csv names name more than once\.$/],
  ])('CSV with the columns %j is refused', async (text, message) => {
    await expect(readText('a.csv', text)).rejects.toThrow(message);
  });

  test.each([';', '\t'])('cells may be separated by %j', async (mark) => {
    const [entry] = await readText('a.csv', ['name', 'category\nÄ, "', 'B\n'].join(mark).replace('"', ''));
    expect(entry?.value).toEqual({ name: 'Ä, ', category: 'B' });
  });

  test.each([
    ['[travel, wishlist]', ['travel', 'wishlist']],
    ['["a, b", "c"]', ['a, b', 'c']],
    ['a, [b]', ['a', '[b]']],
    ['[]', []],
  ])('the capabilities %j are a list', async (cell, capabilities) => {
    const [entry] = await readText('a.csv', `capabilities\n"${cell.replaceAll('"', '""')}"\n`);
    expect(entry?.value).toEqual({ capabilities });
  });

  const openApi = { kind: 'openapi', url: 'https://a.example.com/x' };
  test.each([
    [JSON.stringify([openApi]), { value: { connections: [openApi] } }],
    ['openapi https://a.example.com/x', { value: { connections: [openApi] } }],
    ['uvx tides', { fault: 'Line 1: this PyPI package has no exact version: write tides==1.2.3' }],
  ])('the connections %j are read as the form reads them', async (cell, entry) => {
    expect((await readText('a.csv', `connections\n"${cell.replaceAll('"', '""')}"\n`))[0]).toMatchObject(entry);
  });

  const quotes = 'a cell with quotation marks must stand in quotation marks, and each of its own must be doubled';
  test.each([
    ['name,description\nA,"Two\nlines"\nTV Bot,For a 24" screen,x\n', `line 4: ${quotes}`],
    ['name,description\n"TV" Bot,x\n', `line 2: ${quotes}`],
    ['name\n"A\n', 'line 2: the file ends within quotation marks'],
    [`name\n"${'x'.repeat(2 * MAX_LINE_LENGTH)}"\n`, 'line 2: the line is too long'],
  ])('CSV that the parser refuses is refused with the line (%#)', async (text, reason) => {
    const error: unknown = await readText('a.csv', text).catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(CommandError);
    expect((error as Error).message).toMatch(new RegExp(`a\\.csv is not valid CSV in ${reason}\\.$`));
  });
});
