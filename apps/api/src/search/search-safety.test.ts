import {
  agentSchema,
  MAX_SEARCH_LENGTH,
  newAgentSchema,
  PROBLEM_MEDIA_TYPE,
  problemSchema,
  type Agent,
} from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { runsAll } from '../testing/tier.ts';
import { goldenQueries, makeGoldenAgents } from '../testing/golden-queries.ts';

/** Most agents that one search gives. */
const MAX_RESULTS = 1_000;
/** The same cases in every run. */
const RUNS = { seed: 20_260_101, numRuns: runsAll ? 80 : 40 };

const agents = makeGoldenAgents(1_100);
/** How many of them most tests search in: some words are in almost every agent. */
const FEW = 250;
const agentListSchema = agentSchema.array();

/** Texts with a meaning in SQLite or PostgreSQL queries, patterns or URLs. */
const operators = [
  ['AND', 'OR', 'NOT', 'NEAR(', 'NEAR(a b, 2)', 'NEAR/2', '"', '""', "'", "''", '*', '^', ':', '-', '+', '{', '}'],
  [
    '(',
    ')',
    '[',
    ']',
    'name:',
    '{name}:',
    '- name:',
    '&',
    '|',
    '!',
    '<->',
    '<2>',
    '<',
    ':*',
    ':A',
    ':*B',
    '\\',
    '\\\\',
  ],
  ['%', '_', '?', '?1', '$1', '$$', ':name', '@x', ';', '--', '/*', '*/', '\u0000', '\t', '\n', '\u001A', '\u007F'],
  ['.', ',', '#', '/', '~', '=', '`', '1', '0x', '1e9', '-1', 'null', 'c++', 'a.b', 'a-b', "a'b", 'a:b', 'a*b'],
].flat();

/** Texts that break code which confuses letters, code units and bytes, or which folds. */
const oddLetters = [
  ['\uD800', '\uDFFF', '\uDC00\uD800', '\uFFFE', '\uFFFF', '\uFEFF', '\u200B', '\u200D', '\u200E', '\u202E', '\u2066'],
  ['\u0301', '\u0301'.repeat(30), 'e\u0301', '\u3099', 'ß', 'ẞ', 'ſ', 'ﬁ', 'ﷺ', 'ŉ', 'İ', 'ı', 'ς', 'Σ', 'ǰ', 'Ǆ', '½'],
  [
    '🤖',
    '👩‍👩‍👧',
    '🇫🇷',
    '1️⃣',
    '𝔘𝔫𝔦',
    '𞤀',
    '𠮷',
    '東',
    '京都',
    'ｶﾞ',
    '가',
    '각',
    'שלום',
    'مرحبا',
    'ｃ＋＋',
    '\u3000',
    '\u00A0',
  ],
].flat();

const anyUnit = fc.integer({ min: 0, max: 0xff_ff }).map((unit) => String.fromCharCode(unit));
const words = fc.constantFrom(...new Set(agents.slice(0, 150).flatMap(({ name }) => name.split(' '))));
const anyText = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: MAX_SEARCH_LENGTH }),
    fc.string({ unit: 'binary', maxLength: MAX_SEARCH_LENGTH }),
    fc.string({ unit: 'binary-ascii', maxLength: MAX_SEARCH_LENGTH }),
    fc.string({ unit: anyUnit, maxLength: MAX_SEARCH_LENGTH }),
    fc
      .array(fc.oneof(words, fc.constantFrom(...operators), fc.constantFrom(...oddLetters)), { maxLength: 20 })
      .chain((parts) => fc.constantFrom(parts.join(' '), parts.join(''))),
  )
  .map((text) => text.slice(0, MAX_SEARCH_LENGTH));

const longTexts = Object.entries({
  'a hundred different letters': Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e_00 + index)).join(
    ' ',
  ),
  'a hundred words of one letter': Array.from({ length: 100 }, (_, index) => 'abcdefghij'[index % 10]).join(' '),
  'fifty misspelled words': Array.from(
    { length: 40 },
    (_, index) => `kyb${String.fromCodePoint(97 + (index % 26))}`,
  ).join(' '),
  'one letter 200 times': 'a'.repeat(200),
  'a word of 200 different letters': Array.from({ length: 200 }, (_, index) =>
    String.fromCodePoint(0x4e_00 + index),
  ).join(''),
  'a word of 200 letters near none': 'kubernetes'.repeat(20),
  'a letter with 199 accents': `e${'\u0301'.repeat(199)}`,
  'a hundred emoji': '🤖'.repeat(100),
  'a hundred ligatures of 18 letters': 'ﷺ'.repeat(200),
  '200 signs': '%_*"\'()&|!'.repeat(20),
  '66 operators': 'OR '.repeat(66),
  'nested parentheses': '('.repeat(100) + ')'.repeat(100),
  'a hundred dots in a word': 'a.'.repeat(100),
  'a hundred hyphens in a word': 'ab-'.repeat(66),
  'a hundred backslashes': '\\'.repeat(200),
});

/** Like `encodeURIComponent`, but for lone surrogates too. */
function encode(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0xd8_00 || code > 0xdf_ff) return encodeURIComponent(character);
    return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
      .map((byte) => `%${byte.toString(16)}`)
      .join('');
  }).join('');
}

describe.each(surfaceEngines)('a search over HTTP on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database });
    await app.agents.load(agents.slice(0, FEW));
  }, 60_000);

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  const get = (query: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/api/search?${query}`, { headers });

  /** Searches, and checks what every response must fulfil. */
  async function ask(query: string) {
    const response = await get(query);
    const body = await response.text();
    let found: Agent[] = [];
    if (response.status === 200) {
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      found = agentListSchema.parse(JSON.parse(body));
      expect(found.length).toBeLessThanOrEqual(MAX_RESULTS);
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    } else {
      expect(response.status).toBe(400);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(body).toMatch(/^\S.*\.$/u);
    }
    return { status: response.status, headers: response.headers, body, found };
  }

  async function find(q: string) {
    const { status, found } = await ask(`q=${encode(q)}`);
    expect(status).toBe(200);
    return found;
  }

  test('gets 200 or 400 for any text', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const { status } = await ask(`q=${encode(text)}`);
        if (/^\P{C}+$/u.test(text.trim())) expect(status).toBe(200);
      }),
      { ...RUNS, numRuns: 2.5 * RUNS.numRuns },
    );
  }, 60_000);

  test('gets 200 or 400 for operators and odd letters, alone and with words', async () => {
    for (const [index, text] of [...operators, ...oddLetters].entries()) {
      const ways = [text, `otter ${text}`, `otter${text}desk"`];
      for (const q of runsAll ? ways : [ways[index % ways.length]!]) await ask(`q=${encode(q)}`);
    }
  });

  test.each(longTexts)('gets 200 for %s', async (_name, text) => {
    expect(text.length).toBeLessThanOrEqual(MAX_SEARCH_LENGTH);
    expect((await ask(`q=${encode(text)}`)).status).toBe(200);
  });

  test.each(
    [
      [
        '',
        'q',
        'q=',
        'q=%20',
        'q=a&q=b',
        'q=&q=',
        'q[]=a',
        'q[0]=a&q[1]=b',
        'q[a]=b',
        'Q=a',
        'q.a=b',
        `q=${'a'.repeat(1_001)}`,
      ],
      ['limit=0', 'limit=-1', 'limit=201', 'limit=1e9', 'limit=ten', 'limit=', 'limit=1&limit=2', 'limit[]=1'].map(
        (limit) => `q=otter&${limit}`,
      ),
      ...['after=1', 'after=', `after=${'f'.repeat(36)}`, 'after=99999999-0000-4000-8000-000000000000'].map(
        (after) => `q=otter&${after}`,
      ),
    ].flat(),
  )('with ?%s gets 200 or an error in the error format', async (query) => {
    const { status, body } = await ask(query);
    if (status === 200) return;
    const problem = await get(query, { accept: PROBLEM_MEDIA_TYPE });
    expect(problem.headers.get('content-type')).toBe(`${PROBLEM_MEDIA_TYPE}; charset=utf-8`);
    expect(problemSchema.parse(await problem.json())).toMatchObject({ status, detail: body });
  });

  test.each(['limit=0', 'limit=201', 'limit=ten', 'after=1', 'after=99999999-0000-4000-8000-000000000000'])(
    'with %s is refused',
    async (parameter) => {
      expect((await ask(`q=otter&${parameter}`)).status).toBe(400);
    },
  );

  test.each([
    'q=%',
    'q=%zz',
    'q=%ff%fe',
    'q=%c0%80',
    'q=%00',
    'q=%ed%a0%80',
    'q=%f4%90%80%80',
    'q=a%',
    'q=+',
    'q=a;b',
    'q=a=b',
  ])('gets 200 or 400 for the bytes of %s', async (query) => {
    await ask(query);
  });

  test.each(['gpt', 'desk', 'c++', 'node.js', '日本語', 'kubernets', 'lesson & plan'])(
    'for %s gives over the links from page to page what it gives at once',
    async (q) => {
      const whole = await ask(`q=${encode(q)}`);
      const expected = whole.found.map(({ id }) => id);
      const limit = Math.max(1, Math.ceil(expected.length / 4));
      const walked: string[] = [];
      let query: string | undefined = `q=${encode(q)}&limit=${limit}`;
      while (query && walked.length <= expected.length) {
        const { headers, found: page } = await ask(query);
        expect(page.length).toBeLessThanOrEqual(limit);
        expect(headers.get('x-total-count')).toBe(String(expected.length));
        expect(headers.get('x-corrected-query')).toBe(whole.headers.get('x-corrected-query'));
        walked.push(...page.map(({ id }) => id));
        query = /^<\/api\/search\?(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      }
      expect(expected.length).toBeGreaterThan(0);
      expect(walked).toEqual(expected);
    },
  );

  test.each([
    ['reciept', 'receipt'],
    ['kubernetse', 'kubernetes'],
  ])('for %s reports the corrected search %s', async (q, corrected) => {
    const { headers } = await ask(`q=${encode(q)}`);
    expect(decodeURIComponent(headers.get('x-corrected-query') ?? '')).toBe(corrected);
    expect(Number(headers.get('x-full-matches'))).toBeGreaterThan(0);
  });

  test('of a thousand characters is for its telling words, and says so', async () => {
    const [agent] = agents;
    const text = `${'(please, we need this) "so much" -that '.repeat(24)} ${agent?.name}`;
    const { status, headers, found } = await ask(`q=${encode(text)}`);
    expect([status, found[0]?.name]).toEqual([200, agent?.name]);
    expect(decodeURIComponent(headers.get('x-understood-query') ?? '').length).toBeLessThan(MAX_SEARCH_LENGTH);
    for (const other of ['写'.repeat(666), 'é'.repeat(1_000), 'a.'.repeat(500), '('.repeat(1_000)]) {
      expect((await ask(`q=${encode(other)}`)).status).toBe(200);
    }
  });

  test('for a misspelled text with non-ASCII letters has valid headers', async () => {
    await app.agents.register(makeNewAgent({ name: 'Переводчик' }));
    const { status, headers } = await ask(`q=${encode('Певеродчик')}`);
    expect(status).toBe(200);
    expect(headers.get('x-corrected-query') ?? '').toMatch(/^[\x21-\x7E]*$/);
  });

  const anyName = fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
      fc
        .array(fc.oneof(words, fc.constantFrom('the', 'of', 'a', 'C++', 'C#', 'node.js', '東京', '🤖', ...operators)), {
          minLength: 1,
          maxLength: 4,
        })
        .map((parts) => parts.join(' ')),
    )
    .map((name) => newAgentSchema.safeParse(makeNewAgent({ name })))
    .filter(({ success, data }) => success && /[\p{L}\p{N}]/u.test(data.name))
    .map(({ data }) => data!);

  test('finds any registered agent by its name immediately', async () => {
    await fc.assert(
      fc.asyncProperty(anyName, async (newAgent) => {
        const { agent } = await app.agents.register(newAgent);
        expect((await find(agent.name)).map(({ id }) => id)).toContain(agent.id);
      }),
      RUNS,
    );
  }, 60_000);

  test('finds the same agents in the same order for any case, Unicode form and width', async () => {
    const typed = fc.oneof(
      fc.constantFrom(...goldenQueries.map(({ q }) => q)),
      fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')),
    );
    const manner = fc.constantFrom(...Object.values(manners));
    await fc.assert(
      fc.asyncProperty(typed, manner, async (q, type) => {
        const [plain, other] = [await find(q), await find(type(q))];
        expect(other.map(({ name }) => name)).toEqual(plain.map(({ name }) => name));
      }),
      RUNS,
    );
  }, 60_000);

  test('sends the best thousand agents and the total when more match', async () => {
    await app.agents.load(agents.slice(FEW));
    expect(await find('the')).toHaveLength(MAX_RESULTS);
    const { headers } = await ask('q=the&limit=1');
    expect(Number(headers.get('x-total-count'))).toBeGreaterThan(MAX_RESULTS);
  });
});

/** Other ways to type the same text. */
const manners = {
  upperCase: (text: string) => text.toUpperCase(),
  lowerCase: (text: string) => text.toLowerCase(),
  decomposed: (text: string) => text.normalize('NFD'),
  composed: (text: string) => text.normalize('NFC'),
  // The fullwidth forms stand in the order of ASCII; the blank has a place of its own.
  fullwidth: (text: string) =>
    text
      .replaceAll(/[!-~]/g, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfe_e0))
      .replaceAll(' ', '\u3000'),
};
