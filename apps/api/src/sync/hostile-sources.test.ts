import type { AddressInfo, LookupFunction } from 'node:net';
import { fileURLToPath } from 'node:url';
import { hostileTexts } from '@agent-registry/contracts/testing/hostile-agents';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { defaultCategories } from '@agent-registry/contracts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { runCommandLine, startSourceServer, type AnswerSource, type SourceServer } from '../testing/source-server.ts';
import { createGuardedFetch } from '../website-check/guarded-fetch.ts';
import { crawlSource, toSourceFetch } from './crawl-source.ts';
import { readSources, type Source } from './read-sources.ts';
import { sourceFormats } from './source-formats.ts';
import { createAgentReader } from './to-new-agent.ts';
import { startHttpsWebsite } from '../testing/https-website.ts';
import { certificate } from '../testing/tls-certificate.ts';
import { runsAll } from '../testing/tier.ts';

// The stores are tested on both engines.
const [sqlite] = engines;
const common = {
  contact: 'operator@example.com',
  licence: 'CC0-1.0',
  categories: { '*': 'vision' },
  names: false,
  allow: [],
};
const mcp = {
  ...common,
  name: 'a',
  kind: 'mcp-registry',
  address: 'https://website.example',
  attribution: 'A',
} as const;
const registry = { ...mcp, kind: 'agent-registry' } as const;

let database: TestDatabase;
let server: SourceServer;

beforeAll(async () => {
  [database, server] = await Promise.all([sqlite.open(), startSourceServer()]);
  return async () => {
    await database.remove();
    await server.close();
  };
});

beforeEach(() => database.empty());

const count = () => createAgentStore(database.engine).count();
const readEverything = async () => [
  await createAgentStore(database.engine).list(),
  await database.engine.db.selectFrom('agent_sources').selectAll().orderBy('entry_key').execute(),
  await database.engine.db.selectFrom('sources').selectAll().execute(),
];

const good = { server: { name: 'a/good', description: 'Good.' } };
const toChanges = (changes: readonly unknown[]) => ({ changes, next: 'x' });
const mebibytes = (number: number) => Buffer.alloc(number * 1_048_576, ' ');

test.each<[string, Source, AnswerSource, string]>([
  [
    'that repeats a cursor',
    mcp,
    () => ({ body: { servers: [good], metadata: { nextCursor: 'again' } } }),
    'it repeats a cursor',
  ],
  [
    'that repeats a cursor after others',
    registry,
    (url) => ({ body: { changes: [], next: url.searchParams.get('after') === 'x' ? 'y' : 'x', hasMore: true } }),
    'it repeats a cursor',
  ],
  ['of 11 MiB', mcp, () => ({ body: mebibytes(11) }), 'an answer has more than 10 MiB'],
  ['that is no JSON', mcp, () => ({ body: '<html>' }), 'its answer is no JSON'],
  ['that is null', mcp, () => ({ body: 'null' }), 'its answer has no list of servers'],
  ['with servers that are no list', mcp, () => ({ body: { servers: {} } }), 'its answer has no list of servers'],
  ['with changes that are no list', registry, () => ({ body: { changes: 5, next: 'x' } }), 'no list of changes'],
  ['without a cursor', registry, () => ({ body: { changes: [] } }), 'its answer has no cursor'],
  [
    'with a cursor of 501 characters',
    mcp,
    () => ({ body: { servers: [good], metadata: { nextCursor: 'x'.repeat(501) } } }),
    'its cursor can have at most 500 characters',
  ],
  [
    'with a mark of 1 MB',
    registry,
    () => ({ body: { changes: [], next: 'x'.repeat(1_000_000) } }),
    'its cursor can have at most 500 characters',
  ],
  [
    'with a mark that PostgreSQL does not store',
    registry,
    () => ({ body: { changes: [], next: 'a\0b' } }),
    'its cursor must not have the invisible character U+0000',
  ],
  ['with an error', mcp, () => ({ status: 503 }), 'it answered 503'],
  ['that has gone', registry, () => ({ status: 410 }), 'it answered 410'],
  ['behind a challenge', mcp, () => ({ headers: { 'cf-mitigated': 'challenge' } }), 'a page against bots'],
  [
    'that redirects to another host',
    mcp,
    () => ({ status: 302, headers: { location: 'https://other.example/' } }),
    'it cannot be read: It redirects to another host',
  ],
])('an answer %s is refused with a sentence', async (_kind, source, answer, message) => {
  server.answerWith(answer);
  await expect(crawlSource(source, null, { fetch: server.fetch, userAgent: '' })).rejects.toThrow(message);
});

test.each([
  ['0', 5],
  [new Date(0).toUTCString(), 2],
])('a page that is busy is asked again after what Retry-After says: %s', async (retryAfter, busy) => {
  server.answerWith(() =>
    server.asked.length <= busy
      ? { status: server.asked.length % 2 === 0 ? 429 : 503, headers: { 'retry-after': retryAfter } }
      : { body: { servers: [good] } },
  );
  const { items } = await crawlSource(mcp, null, { fetch: server.fetch, userAgent: '' });
  expect([items.size, server.asked.length]).toEqual([1, busy + 1]);
});

test.each([
  ['0', 6],
  ['100000', 1],
  ['soon', 1],
])('a page that stays busy, or says no near time, is not waited for: %s', async (retryAfter, requests) => {
  server.answerWith(() => ({ status: 503, headers: { 'retry-after': retryAfter } }));
  await expect(crawlSource(mcp, null, { fetch: server.fetch, userAgent: '' })).rejects.toThrow('it answered 503');
  expect(server.asked).toHaveLength(requests);
});

test.each<[string, Source, unknown]>([
  ['an empty list', mcp, { servers: [] }],
  ['entries that are all refused', mcp, { servers: [{ server: { name: 'a/b' } }, { server: { name: 'a/c' } }] }],
  ['entries without a name', registry, toChanges([{}, {}])],
])('a source of which nothing can be read is a failure: %s', async (_what, source, body) => {
  server.answerWith(() => ({ body }));
  const { code, stderr } = await server.sync(database, [source]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('a was not followed: it has no entry that can be read.') as string,
  });
});

test('a source that is not followed changes nothing, and another one is followed', async () => {
  server.answerWith(() => ({ body: { servers: [good] } }));
  await server.sync(database, [mcp]);
  const before = await readEverything();
  server.answerWith(() => ({ body: { servers: [], metadata: { nextCursor: 'again' } } }));
  expect(await server.sync(database, [mcp], '--complete')).toMatchObject({
    code: 1,
    stderr: 'a was not followed: it repeats a cursor.\n',
  });
  expect(await readEverything()).toEqual(before);
  server.answerWith(({ hostname }) => (hostname === 'other.example' ? { body: { servers: [good] } } : { status: 500 }));
  const other = { ...mcp, name: 'b', address: 'https://other.example' };
  expect(await server.sync(database, [mcp, other])).toMatchObject({
    code: 1,
    stderr: 'a was not followed: it answered 500.\n',
  });
  expect(await count()).toBe(2);
});

test.runIf(runsAll)('a source of more than 1,000 pages is not followed', async () => {
  let pages = 0;
  const fetch = async () => {
    pages += 1;
    const body = { servers: [], metadata: { nextCursor: String(pages) } };
    return { status: 200, type: 'application/json', text: JSON.stringify(body), isChallenge: false, headers: {} };
  };
  await expect(crawlSource(mcp, null, { fetch, userAgent: '' })).rejects.toThrow('it has more than 1000 pages');
  expect(pages).toBe(1_000);
});

test.runIf(runsAll)('answers together are limited, too', async () => {
  let pages = 0;
  const padding = ' '.repeat(9_000_000);
  const fetch = async () => {
    pages += 1;
    const body = JSON.stringify({ servers: [], metadata: { nextCursor: String(pages) } });
    return { status: 200, type: 'application/json', text: body + padding, isChallenge: false, headers: {} };
  };
  await expect(crawlSource(mcp, null, { fetch, userAgent: '' })).rejects.toThrow('more than 256 MiB');
});

test('a source on a private address is not asked, except where a test allows it', async () => {
  server.answerWith(() => ({ body: { servers: [good] } }));
  const lookup = {
    lookup: (_name: string, _options: object, found: (error: null, address: string, family: number) => void) =>
      found(null, '127.0.0.1', 4),
  };
  await expect(crawlSource(mcp, null, { fetch: createGuardedFetch(lookup), userAgent: '' })).rejects.toThrow(
    'it cannot be read: ',
  );
  expect(server.asked).toEqual([]);
});

test('a source that the operator allows may be in the own network and on another port, its pages only', async () => {
  const asked: string[] = [];
  const website = await startHttpsWebsite(
    ({ url = '' }, response) => {
      asked.push(url);
      const isMoved = url.includes('/moved');
      response.writeHead(isMoved ? 302 : 200, isMoved ? { location: '/v0.1/servers' } : {});
      response.end(JSON.stringify({ servers: [good] }));
    },
    { isAllowed: false },
  );
  const { port } = website.server.address() as AddressInfo;
  const lookupOf = (address: string) => ({
    ca: certificate,
    lookup: ((_name, _options, found) =>
      found(null, [{ address, family: address.includes(':') ? 6 : 4 }])) as LookupFunction,
  });
  const crawl = (address: string, allow: string[], options = lookupOf('127.0.0.1')) => {
    const source = { ...mcp, address, allow };
    return crawlSource(source, null, { fetch: toSourceFetch(source, website.fetch, options), userAgent: '' });
  };
  const own = `https://website.example:${port}`;
  const allow = [`website.example:${port}`];
  expect((await crawl(own, allow)).items.size).toBe(1);
  await expect(crawl(own, [])).rejects.toThrow('is not allowed');
  await expect(crawl(`https://other.example:${port}`, allow)).rejects.toThrow('is not allowed');
  await expect(crawl(`${own}/moved`, allow)).rejects.toThrow('it answered 302');
  for (const address of ['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', 'fd00:ec2::254', '100.100.100.200']) {
    await expect(crawl(own, allow, lookupOf(address))).rejects.toThrow('is not allowed');
  }
  expect(asked).toEqual(['/v0.1/servers?limit=100&version=latest', '/moved/v0.1/servers?limit=100&version=latest']);
  website.close();
});

test('a source that does not answer in time is not waited for', async () => {
  server.answerWith(() => new Promise(() => {}));
  const client = { fetch: server.fetch, userAgent: '', timeout: 50 };
  await expect(crawlSource(mcp, null, client)).rejects.toThrow('it cannot be read: it is too slow');
});

/** Pages of a source, of about this many characters, and the format that reads each. */
const hostilePages: [string, keyof typeof sourceFormats, (length: number) => string][] = [
  ['deep arrays', 'mcp-registry', (length) => `{"servers":${'['.repeat(length / 2)}${']'.repeat(length / 2)}}`],
  ['a list of empty objects', 'mcp-registry', (length) => `{"servers":[${'{},'.repeat(length / 3)}{}]}`],
  [
    'times without an end',
    'mcp-registry',
    (length) =>
      JSON.stringify({
        servers: [{ _meta: { 'io.modelcontextprotocol.registry/official': { updatedAt: '2'.repeat(length) } } }],
      }),
  ],
  [
    'an address of blanks',
    'mcp-registry',
    (length) => toServers({ websiteUrl: `https://a.example/${' '.repeat(length)}` }),
  ],
  [
    'a host of dots',
    'mcp-registry',
    (length) => toServers({ websiteUrl: `https://${'a.'.repeat(length / 2)}example/` }),
  ],
  [
    'a repository of signs',
    'mcp-registry',
    (length) => toServers({ repository: { url: `https://${'@'.repeat(length)}` } }),
  ],
  ['a description of marks', 'mcp-registry', (length) => toServers({ description: 'a\u0301'.repeat(length / 2) })],
  ['a name of blanks', 'mcp-registry', (length) => toServers({ title: `a${' '.repeat(length)}b` })],
  ['many changes', 'agent-registry', (length) => `{"next":"x","changes":[${'0,'.repeat(length / 2)}0]}`],
  [
    'many capabilities',
    'agent-registry',
    (length) =>
      JSON.stringify({ next: 'x', changes: [{ id: 'a', agent: { capabilities: Array(length / 4).fill('a') } }] }),
  ],
];

const toServers = (fields: object) =>
  JSON.stringify({ servers: [{ server: { name: 'a/b', description: 'A', ...fields } }] });

test.each(hostilePages)('a hostile page is read, and its entries are refused or cut: %s', (_name, format, make) => {
  const { items } = sourceFormats[format].read(make(runsAll ? 1_048_576 : 262_144), null);
  const readAgent = createAgentReader(mcp, defaultCategories);
  for (const { fields } of items.slice(0, 1_000)) {
    const { agent, fault = '' } = readAgent(fields);
    expect(JSON.stringify(agent ?? fault).length).toBeLessThan(10_000);
  }
});

test.runIf(runsAll)('an answer of 10 MiB is read', async () => {
  const text = JSON.stringify({ servers: [good] }).padEnd(10 * 1_048_576);
  const fetch = async () => ({ status: 200, type: 'application/json', text, isChallenge: false, headers: {} });
  expect((await crawlSource(mcp, null, { fetch, userAgent: '' })).items.size).toBe(1);
});

test('entries that cannot be agents are refused with a sentence, and the others are followed', async () => {
  const texts = Object.values<readonly string[]>(hostileTexts).flat();
  const hostile = [
    ...texts.map((text, index) => ({ server: { name: `a/${index}`, title: text, description: text } })),
    { server: { name: 'a/number', title: 5, description: ['x'], remotes: 7, _meta: 1 }, _meta: 'x' },
    { server: { name: 'a/script', description: 'x', websiteUrl: 'javascript:alert(1)' } },
    { server: { name: 'a/loopback', description: 'x', websiteUrl: 'http://127.0.0.1/' } },
    { server: { name: 'a/intranet', description: 'x', websiteUrl: 'https://wiki.corp.internal/' } },
    { server: { name: 'a/long', description: 'x'.repeat(2_001) } },
    { server: { name: '__proto__', description: 'x', __proto__: { status: 'deleted' } } },
    good,
  ];
  server.answerWith(() => ({ body: { servers: hostile, metadata: { nextCursor: 5 } } }));
  const { code, stdout, stderr } = await server.sync(database, [mcp]);
  expect(code).toBe(0);
  // Of each text that an import refuses, too.
  expect(stderr).toContain('must not have the invisible character');
  expect(stderr.split('\n').length).toBeLessThanOrEqual(21);
  for (const output of [stdout, stderr]) expect(output).not.toMatch(/[\p{Cc}--[\n\t]]/v);
  const { refused = '0' } = /(?<refused>\d+) refused/.exec(stdout)?.groups ?? {};
  expect(await count()).toBe(hostile.length - Number(refused));
  // An address that only its maker reaches is none.
  const stored = await createAgentStore(database.engine).list();
  for (const name of ['loopback', 'intranet']) {
    expect(stored.find((agent) => agent.name === name)?.website).toBeNull();
  }
  const names = ['number', 'script'];
  const others = hostile.filter((entry) => [...names, 'long'].includes(entry.server.name.slice(2)));
  server.answerWith(() => ({ body: { servers: others } }));
  const { stderr: reasons } = await server.sync(database, [mcp], '--dry-run');
  expect(reasons.match(/(?<=^a, a\/)\w+(?=: [A-Z])/gm)).toEqual(names);
  expect(reasons).toContain('a, a/long: description: it is cut at 2000 characters.');
});

test('what only a registry sets is not taken over', async () => {
  const claims = {
    id: 'x',
    rating: 5,
    reviewCount: 9,
    websiteCheckedAt: '2026-11-20T10:00:00.000Z',
    websiteProof: 'host',
    createdAt: '2020-01-01T00:00:00.000Z',
    contactEmail: 'person@example.com',
    keyHash: 'c0ffee',
  };
  const agent = { ...makeAgent({ website: 'https://a.example.com/' }), ...claims };
  server.answerWith(() => ({ body: toChanges([{ id: 'x', change: 'listed', agent }]) }));
  expect(await server.sync(database, [registry])).toMatchObject({ code: 0, stderr: '' });
  const [stored] = await createAgentStore(database.engine).list();
  expect(stored).toMatchObject({ rating: 0, reviewCount: 0, contactEmail: 'operator@example.com', name: agent.name });
  expect(stored?.websiteCheckedAt).toBeUndefined();
  expect(stored?.createdAt).not.toBe(claims.createdAt);
});

test('an entry without a name may be any absent one, so that nothing is withdrawn', async () => {
  const agent = { name: 'A', description: 'A' };
  const entries = Array.from({ length: 6 }, (_, index) => ({ id: String(index), change: 'listed', agent }));
  server.answerWith(() => ({ body: toChanges(entries) }));
  await server.sync(database, [registry]);
  const unnamed = ['{', [], { id: 5, agent }, { id: 'x'.repeat(501), agent }];
  server.answerWith(() => ({ body: toChanges([...entries.slice(1), ...unnamed]) }));
  const { stdout } = await server.sync(database, [registry], '--complete');
  expect(stdout).toContain('5 unchanged. 4 entries have no name, so that absence says nothing.');
  expect(await count()).toBe(6);
});

test.each<[unknown, string]>([
  ['{', 'is not valid JSON.'],
  [{}, 'must be a JSON array of sources.'],
  [[], 'must have a source.'],
  [[5], 'source 1 must be an object.'],
  [[{ ...mcp, name: 'A b' }], 'source 1, name must be 1 to 40 lower-case letters'],
  [[mcp, mcp], 'must have sources of different names.'],
  [[{ ...mcp, kind: 'rss' }], 'source 1, kind must be one of mcp-registry, agent-registry.'],
  ...[
    'http://a.example',
    'file:agents.ndjson',
    'https://a.example:8443',
    'https://u:p@a.example',
    'https://a.example/#x',
    'x',
    5,
  ].map((address) => [[{ ...mcp, address }], 'source 1, address must be an https address'] satisfies [unknown, string]),
  ...[{ names: 1 }, { allow: ['*.corp:443'] }, { allow: ['127.0.0.1:443'] }].map(
    (field) => [[{ ...registry, ...field }], `source 1, ${Object.keys(field)[0]}`] satisfies [unknown, string],
  ),
  [[{ ...registry, names: true }], 'source 1, names is for an MCP registry only.'],
  [[{ ...mcp, contact: 'x' }], 'source 1, contact must be an address such as'],
  [[{ ...mcp, licence: 'a\nb' }], 'source 1, licence must be one line'],
  [[{ ...mcp, attribution: undefined }], 'source 1, attribution must be one line'],
  [[{ ...mcp, categories: {} }], 'source 1, categories must have *'],
  [[{ ...mcp, categories: { '*': 'other' } }], 'source 1, categories.* must be one of chatbot'],
  [[{ ...mcp, adress: 'x' }], 'source 1 has the unknown field adress.'],
])('the sources %j are refused with a sentence', async (sources, message) => {
  server.answerWith(() => ({ body: { servers: [good] } }));
  const { code, stderr } = await server.sync(database, sources);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) as string });
  expect(server.asked).toEqual([]);
});

test('the example of a file of sources is valid', async () => {
  const example = fileURLToPath(new URL('../../../../deploy/sources.example.json', import.meta.url));
  expect(await readSources(example, defaultCategories)).toHaveLength(2);
});

test('a name that no source has is refused', async () => {
  for (const option of ['--only', '--many-withdrawals', '--many-additions']) {
    const { code, stderr } = await server.sync(database, [mcp], option, 'b');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/has no source b\.\n$/) as string });
  }
  expect(await runCommandLine(database, ['sync', '/missing.json'])).toMatchObject({ code: 1 });
});
