import { expect, test } from 'vitest';
import { CommandError } from './command.ts';
import { MAX_LINE_LENGTH, readLines } from './files.ts';

async function* chunk(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let begin = 0; begin < bytes.length; begin += size) yield bytes.subarray(begin, begin + size);
}

test.each([1, 2, 3, 100])('lines end at line feeds only, also across chunks of %i bytes', async (size) => {
  const lines: [number, string][] = [];
  for await (const { number, bytes } of readLines(chunk('é\r\n\n\u2028b\rc\nd', size), 'file')) {
    lines.push([number, bytes.toString()]);
  }
  expect(lines).toEqual([
    [1, 'é\r'],
    [2, ''],
    [3, '\u2028b\rc'],
    [4, 'd'],
  ]);
});

test('a line that is too long is refused before more of it is read', async () => {
  let chunks = 0;
  async function* endless() {
    for (;;) {
      chunks += 1;
      yield Buffer.alloc(65_536, 'x');
    }
  }
  await expect(readLines(endless(), 'agents.ndjson').next()).rejects.toThrow(
    new CommandError('Line 1 of agents.ndjson is too long.'),
  );
  expect(chunks).toBe(Math.ceil(MAX_LINE_LENGTH / 65_536));
});
