import { PASTED_HASH } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

/** The rare words of the agents, which mails do not have in this order. */
const RARE = ['ferry', 'invoice', 'harbour', 'ledger', 'mooring', 'pilot', 'tide', 'vessel', 'wharf', 'buoy'];

describe.each(surfaceEngines)('a text that is posted to the search of $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database, withSite: true, READ_LIMIT: 40 });
  });

  beforeEach(() => database.empty());

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/?paste`, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' });
  const lead = async (fields: Record<string, string>) => {
    const response = await post(fields);
    expect([response.status, response.headers.get('cache-control')]).toEqual([303, 'no-store']);
    return response.headers.get('location') ?? '';
  };

  test('leads to a search for the ten words that the fewest agents use, and keeps the filters', async () => {
    const frequent = Array.from({ length: 30 }, (_, index) => `common${String.fromCodePoint(97 + index)}`);
    await app.agents.load([
      ...RARE.map((word) => makeAgent({ name: `${word} one`, description: `${word} ${frequent.join(' ')}` })),
      makeAgent({ name: 'Plain', description: frequent.join(' ') }),
    ]);
    const mail = `${frequent.join(' ')} ${RARE.join(', ')}. Write to me@example.com or +49 170 1234567. ${'so '.repeat(100)}`;
    const location = await lead({ q: mail, pricing: 'free', after: '' });
    const url = new URL(location, app.url);
    expect(url.hash).toBe(PASTED_HASH);
    expect(url.searchParams.get('q')?.split(' ').toSorted()).toEqual(RARE.toSorted());
    expect(url.searchParams.get('pricing')).toBe('free');
  });

  test('leads to at most 200 characters, also of texts without blanks', async () => {
    for (const q of [
      'x'.repeat(64).concat(' ').repeat(20),
      '请帮我把会议记录翻译成英文并总结要点'.repeat(30),
      '!'.repeat(500),
    ]) {
      const found = new URL(await lead({ q }), app.url).searchParams.get('q') ?? '';
      expect(found).not.toBe('');
      expect(Array.from(found).length).toBeLessThanOrEqual(200);
    }
    expect(decodeURIComponent(await lead({ q: '请帮我把会议记录翻译成英文'.repeat(30) }))).toContain('翻译');
  });

  test('of up to 200 characters is searched as it is', async () => {
    expect(await lead({ q: ' otter ferry ' })).toBe('/?q=otter+ferry');
    expect(await lead({ q: '' })).toBe('/');
    expect(await lead({ q: 'a'.repeat(200) })).toBe(`/?q=${'a'.repeat(200)}`);
  });

  test('of more than 2,000 characters, or with an impossible list, is refused', async () => {
    expect((await post({ q: 'ab '.repeat(666) + 'ab' })).status).toBe(303);
    for (const [fields, message] of [
      [{ q: 'a'.repeat(2_001) }, 'The text must have at most 2,000 characters.'],
      [{ q: 'a', category: 'nowhere' }, 'This form asks for a list that does not exist.'],
    ] as const) {
      const response = await post(fields);
      expect([response.status, await response.text()]).toEqual([400, message]);
    }
    expect((await post({ q: 'a' }, { origin: 'https://evil.example' })).status).toBe(403);
  });

  test('counts as a read', async () => {
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 41) statuses.push((await post({ q: 'otter' })).status);
    expect(statuses.at(-1)).toBe(429);
  });
});
