import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPublishTokens } from '../../publisher/log-in.ts';
import { createRateLimitStore } from '../../rate-limit/rate-limit-store.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { startHttpsWebsite, type HttpsWebsite } from '../../testing/https-website.ts';
import { makePublisherKey, mirror, startNameServer } from '../../testing/publisher.ts';
import { postJson, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { openWebsiteChecks } from '../../website-check/check-website.ts';

const PUBLIC_URL = 'https://registry.example';
const [own, other, curve] = [makePublisherKey(), makePublisherKey(), makePublisherKey('ecdsap384')];

type Answer = (response: ServerResponse) => void;
const body =
  (text: string): Answer =>
  (response) =>
    response.writeHead(200).end(text);

describe.each(engines)('logins of publishers on $name', ({ open }) => {
  let database: TestDatabase;
  let website: HttpsWebsite;
  let names: Awaited<ReturnType<typeof startNameServer>>;
  let app: TestApp;
  let requested: string[];
  let answer: Answer;
  const records: Record<string, string[]> = {};

  const start = async () => {
    const websites = await openWebsiteChecks(database.engine, { fetch: website.fetch, nameServers: [names.address] });
    return startTestApp({ database, PUBLIC_URL, websites });
  };

  beforeAll(async () => {
    database = await open();
    names = await startNameServer(records);
    website = await startHttpsWebsite(({ url, headers: { host } }, response) => {
      requested.push(`${host}${url}`);
      answer(response);
    });
    return async () => {
      names.close();
      website.close();
      await database.remove();
    };
  });

  // What a domain answered is shared for ten seconds.
  beforeEach(async () => {
    requested = [];
    answer = body(own.record);
    app = await start();
    return () => app.close();
  });

  type Answered = { registry_token?: string; expires_at?: number; detail?: string; errors?: object[] };
  type Login = { domain?: unknown; timestamp?: unknown; signed_timestamp?: unknown };
  const login = (key = own, timestamp = new Date().toISOString(), domain = 'website.example'): Login => ({
    domain,
    timestamp,
    signed_timestamp: key.sign(timestamp),
  });

  async function send(sent: unknown, { place = 'http', url = app.url } = {}) {
    const response = await postJson(`${url}/v0/auth/${place}`, sent);
    return { status: response.status, ...((await response.json()) as Answered) };
  }

  test('a time that is signed with the key of a host is exchanged for a token of ten minutes, once', async () => {
    const sent = login();
    const { db } = database.engine;
    await db.insertInto('publisher_logins').values({ id: 'old', forgotten_at: new Date().toISOString() }).execute();
    const { status, registry_token: token, expires_at: end } = await send(sent);
    // A login is forgotten with the first one after its minute.
    expect(await db.selectFrom('publisher_logins').select('id').where('id', '=', 'old').execute()).toEqual([]);
    expect([status, Math.round((Number(end) * 1_000 - Date.now()) / 60_000)]).toEqual([200, 10]);
    expect(requested).toEqual(['website.example/.well-known/mcp-registry-auth']);
    const { secret } = await openWebsiteChecks(database.engine);
    const publisher = { domain: 'website.example', place: 'http' };
    expect(createPublishTokens(secret, PUBLIC_URL).read(String(token))).toEqual(publisher);
    expect(createPublishTokens(secret, 'https://other.example').read(String(token))).toBeUndefined();
    expect(createPublishTokens(Buffer.alloc(32), PUBLIC_URL).read(String(token))).toBeUndefined();
    expect(createPublishTokens(secret, PUBLIC_URL, () => Number(end) * 1_000).read(String(token))).toBeUndefined();
    expect(await send(sent)).toMatchObject({
      status: 401,
      detail: 'This login was used before. Log in again',
    });
    // Another login shares the answer of the host.
    expect((await send(login())).status).toBe(200);
    expect(requested).toHaveLength(1);
  });

  test.each<[string, string[], typeof own]>([
    ['Ed25519', [own.record], own],
    ['P-384', [curve.record], curve],
    ['several keys, and other lines', ['# keys', other.record, ` ${curve.record};\r`, own.record], own],
    ['sixteen keys', [...Array.from({ length: 15 }, () => other.record), own.record], own],
  ])('keys of every form count, by the file and by DNS: %s', async (_case, lines, key) => {
    answer = body(lines.join('\n'));
    records['website.example'] = ['v=spf1 -all', ...lines];
    expect((await send(login(key))).status).toBe(200);
    const sent = login(key, new Date(Date.now() + 1_000).toISOString());
    expect((await send(sent, { place: 'dns' })).status).toBe(200);
    expect(requested).toHaveLength(1);
  });

  test('a used login does not count again in another spelling, nor in another process', async () => {
    answer = body(curve.record);
    const second = await start();
    for (const url of [app.url, second.url]) {
      const sent = login(curve, new Date(Date.now() + 2_000).toISOString()) as Record<string, string>;
      const [first, ...rest] = await Promise.all([
        send(sent),
        send(sent, { url }),
        send({ ...sent, signed_timestamp: sent.signed_timestamp!.toUpperCase() }, { url }),
        send({ ...sent, signed_timestamp: mirror(sent.signed_timestamp!) }, { url }),
        send({ ...sent, domain: 'WEBSITE.example' }, { url }),
      ]);
      expect([first, ...rest].map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401]);
      const time = sent.timestamp!;
      for (const timestamp of [time.replace('Z', '000Z'), time.replace('Z', '+00:00'), time.toLowerCase()]) {
        // The same instant, signed anew.
        expect((await send(login(curve, timestamp), { url })).status).toBe(401);
        expect((await send({ ...sent, timestamp }, { url })).status).toBe(401);
      }
    }
    await second.close();
  });

  test.each<[string, Login, string]>([
    ['no body', {}, 'domain must be text'],
    ['a name without a dot', { ...login(), domain: 'localhost' }, 'domain must be a public name'],
    ['an address', { ...login(), domain: '127.0.0.1' }, 'domain must be a public name'],
    ['an IPv6 address', { ...login(), domain: '[::1]' }, 'domain must be a public name'],
    ['a public suffix', { ...login(), domain: 'co.uk' }, 'domain must be a public name'],
    ['a private suffix', { ...login(), domain: 'github.io' }, 'domain must be a public name'],
    ['a name of a network', { ...login(), domain: 'router.internal' }, 'domain must be a public name'],
    ['a port', { ...login(), domain: 'website.example:8443' }, 'domain must be a public name'],
    ['a path', { ...login(), domain: 'website.example/x' }, 'domain must be a public name'],
    ['no time', { ...login(), timestamp: 'yesterday' }, 'timestamp must be a time by RFC 3339'],
    ['a clock that is slow', login(own, new Date(Date.now() - 20_000).toISOString()), 'within 15 seconds of 20'],
    ['a clock that is fast', login(own, new Date(Date.now() + 90_000).toISOString()), 'within 15 seconds of 20'],
    ['no signature', { ...login(), signed_timestamp: 'zz' }, 'signed_timestamp must be a signature'],
    ['a long signature', { ...login(), signed_timestamp: 'a'.repeat(10_000) }, 'signed_timestamp must be a signature'],
  ])('no host is asked for %s', async (_case, sent, detail) => {
    const refused = await send(sent);
    expect(refused).toMatchObject({ status: 401, title: 'Unauthorized', detail: expect.stringContaining(detail) });
    expect(refused.errors).toEqual([{ message: refused.detail }]);
    expect(requested).toEqual([]);
  });

  test.each<[string, Answer, string]>([
    ['another key', body(other.record), `ed25519:${other.text.slice(0, 8)}`],
    ['nothing', body(''), 'No key could be read from https://website.example/'],
    ['a key of another version', body(own.record.replace('MCPv1', 'MCPv2')), 'No key could be read'],
    ['a short key', body('v=MCPv1; k=ed25519; p=AAAA'), 'No key could be read'],
    [
      'no point of the curve',
      body(`v=MCPv1; k=ecdsap384; p=${Buffer.alloc(49, 2).toString('base64')}`),
      'No key could be read',
    ],
    ['the key in the markup of a page', body(`<p>${own.record}</p>`), 'No key could be read'],
    ['the key beyond 4 KiB', body(`${'\n'.repeat(4_096)}${own.record}`), 'No key could be read'],
    ['404', (response) => response.writeHead(404).end(own.record), 'No key could be read'],
    ['a redirect', (response) => response.writeHead(301, { location: '/key' }).end(own.record), 'No key could be read'],
    ['nothing at all', (response) => response.destroy(), 'No key could be read'],
  ])('a host proves nothing with %s', async (_case, given, detail) => {
    answer = given;
    expect(await send(login())).toMatchObject({ status: 401, detail: expect.stringContaining(detail) });
    expect(requested).toHaveLength(1);
  });

  test('a domain without TXT records proves nothing, and a hostile signature of each length is refused', async () => {
    const sent = login(own, undefined, 'other.example');
    expect(await send(sent, { place: 'dns' })).toMatchObject({
      status: 401,
      detail: expect.stringContaining('TXT records'),
    });
    answer = body([own.record, curve.record].join('\n'));
    for (const signature of ['0'.repeat(128), '0'.repeat(192), 'f'.repeat(128), 'f'.repeat(192), '1'.repeat(150)]) {
      expect((await send({ ...login(), signed_timestamp: signature })).status).toBe(401);
    }
  });

  test.each([
    ['login client 127.0.0.1', 60, 'Your address sent logins of 60 domains'],
    ['login all', 600, 'All clients together sent logins of 600 domains'],
  ])('beyond a limit no host is asked: %s', async (key, limit, detail) => {
    await database.engine.db.deleteFrom('rate_limits').execute();
    await createRateLimitStore(database.engine).increment(key, limit, 3_600_000, limit);
    expect(await send(login())).toMatchObject({ status: 429, detail: expect.stringContaining(detail) });
    expect(requested).toEqual([]);
  });

  test('who has no domain is told what works here', async () => {
    for (const method of ['github-at', 'github-oidc', 'oidc', 'none']) {
      const refused = await send({}, { place: method });
      expect(refused).toMatchObject({ status: 501, detail: expect.stringContaining(`--registry ${PUBLIC_URL}`) });
    }
    for (const path of ['/v0', '/v0/servers', '/v0/none']) {
      expect(await (await fetch(app.url + path)).json()).toMatchObject({ status: 404, title: 'Not Found' });
    }
    for (const options of [{ PUBLIC_URL }, { PUBLIC_URL: 'http://registry.example' }]) {
      const closed = await startTestApp({ database, ...options });
      expect(await send(login(), { url: closed.url })).toMatchObject({ status: 501, title: 'Not Implemented' });
      await closed.close();
    }
  });
});
