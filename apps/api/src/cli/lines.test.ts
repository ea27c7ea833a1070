import { expect, test } from 'vitest';
import { readLines } from './lines.ts';

async function* chunk(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let begin = 0; begin < bytes.length; begin += size) yield bytes.subarray(begin, begin + size);
}

test.each([1, 2, 3, 100])('lines end at line feeds only, also across chunks of %i bytes', async (size) => {
  const lines: [number, string][] = [];
  for await (const { number, bytes } of readLines(chunk('é\r\n\n\u2028b\rc\nd', size)))
    lines.push([number, bytes.toString()]);
  expect(lines).toEqual([
    [1, 'é\r'],
    [2, ''],
    [3, '\u2028b\rc'],
    [4, 'd'],
  ]);
});
