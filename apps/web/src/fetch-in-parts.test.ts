import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseInParts } from './fetch-in-parts.ts';

const agents = Array.from({ length: 2_000 }, (_, index) => ({
  id: String(index),
  name: `},{"id":"${index}"`,
  description: 'Reads "files", {\\} and [lists],{ 東京. '.repeat(10),
}));

describe('JSON that is parsed in parts', () => {
  test.each([
    ['a long list', agents],
    ['a short list', agents.slice(0, 2)],
    ['an empty list', []],
    ['a long list of something else', agents.map(({ name }) => [name.repeat(5)])],
    ['an agent', { id: '1', description: 'x'.repeat(200_000) }],
  ])('is what it is parsed at once: %s', async (_, value) => {
    expect(await parseInParts(JSON.stringify(value))).toEqual(value);
  });

  test('may end with a blank line', async () => {
    expect(await parseInParts(`${JSON.stringify(agents)}\n`)).toEqual(agents);
  });

  test.each(['', '[', '[]]', '[1'])('is refused where it is none: %s', async (json) => {
    await expect(parseInParts(json)).rejects.toThrow(SyntaxError);
  });

  test.each([
    ['ends too early', (json: string) => json.slice(0, -100)],
    ['has no end', (json: string) => json.slice(0, -1)],
    ['goes on after its end', (json: string) => `${json}]`],
  ])('is refused where a long list %s', async (_, change) => {
    await expect(parseInParts(change(JSON.stringify(agents)))).rejects.toThrow(SyntaxError);
  });

  test('lets the browser draw in between, where that takes long', async () => {
    onTestFinished(() => void vi.restoreAllMocks());
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 13));
    const turns = vi.spyOn(globalThis, 'setTimeout');
    await parseInParts(JSON.stringify(agents));
    expect(turns.mock.calls.length).toBeGreaterThan(10);
  });
});
