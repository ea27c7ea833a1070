import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startHttpsWebsite, type HttpsWebsite } from '../testing/https-website.ts';
import { createGuardedFetch, type GuardedFetch } from '../website-check/guarded-fetch.ts';
import { toUserAgent } from '../website-check/user-agent.ts';
import { createFileReader } from '../website-files/read-file.ts';
import { createHostCheck, toVerdictOfError } from './liveness.ts';

const HOST = 'website.example';
const readFile = createFileReader();
const userAgent = toUserAgent('https://registry.example');

let website: HttpsWebsite;
let requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let lookups: number;
/** What the name server answers, one after the other. The first stands for a public address. */
let addresses: string[];

beforeAll(async () => {
  website = await startHttpsWebsite(
    (request, response) => {
      requests.push(request);
      answer(request, response);
    },
    {
      lookup: (_hostname, _options, callback) => {
        const address = addresses[Math.min(lookups, addresses.length - 1)] as string;
        lookups += 1;
        callback(null, [{ address, family: 4 }]);
      },
    },
  );
});

beforeEach(() => {
  [requests, lookups, addresses] = [[], 0, ['127.0.0.1']];
});

afterAll(() => website.close());

const check = () => createHostCheck(website.fetch, { userAgent, readFile })(HOST);
const paths = () => requests.map(({ url }) => url);

/** Answers robots.txt with a text or a status, and the page with a status. */
function serve(robots: string | number, page = 200, headers: Record<string, string> = {}): void {
  answer = ({ url }, response) => {
    if (url !== '/robots.txt') response.writeHead(page, headers).end('x'.repeat(100_000));
    else if (typeof robots === 'number') response.writeHead(robots).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end(robots);
  };
}

test.each([
  [200, 'answered'],
  [301, 'answered'],
  [401, 'answered'],
  [404, 'answered'],
  [429, 'answered'],
  [500, 'failed'],
  [502, 'failed'],
  [503, 'none'],
])('the status %i is the verdict %s', async (status, verdict) => {
  serve(404, status, { location: '/elsewhere', 'set-cookie': 'a=b' });
  expect(await check()).toBe(verdict);
  // A redirect is not followed, so a host cannot send us anywhere.
  expect(paths()).toEqual(['/robots.txt', '/']);
});

test('requests are named, link to their explanation, and have no cookies', async () => {
  serve(404, 200, { 'set-cookie': 'a=b' });
  await check();
  await check();
  for (const { method, headers } of requests) {
    expect(method).toBe('GET');
    expect(headers['user-agent']).toBe('AgentRegistry (+https://registry.example/api/docs#requests-to-websites)');
    expect(headers).not.toHaveProperty('cookie');
  }
});

test.each([
  ['User-agent: *\nDisallow: /', false],
  ['User-agent: AgentRegistry\nDisallow: /', false],
  ['User-agent: *\nDisallow: /\n\nUser-agent: agentregistry\nAllow: /', true],
  ['User-agent: *\nDisallow: /private', true],
  ['User-agent: Other\nDisallow: /', true],
  ['<!doctype html>', true],
  ['', true],
])('robots.txt is honoured: %j', async (robots, isAsked) => {
  serve(robots);
  expect(await check()).toBe(isAsked ? 'answered' : 'none');
  expect(paths()).toEqual(isAsked ? ['/robots.txt', '/'] : ['/robots.txt']);
});

test('a server that cannot give its robots.txt is asked nothing else', async () => {
  serve(500);
  expect(await check()).toBe('none');
  serve(503);
  expect(await check()).toBe('none');
  expect(paths()).toEqual(['/robots.txt', '/robots.txt']);
});

test('the body is not read: an endless one does not hold the check', async () => {
  let isClosed = false;
  answer = ({ url }, response) => {
    if (url === '/robots.txt') return response.writeHead(404).end();
    response.on('close', () => (isClosed = true));
    response.writeHead(200).write('x');
    return undefined;
  };
  expect(await check()).toBe('answered');
  await expect.poll(() => isClosed).toBe(true);
});

test('a host that does not respond in time has no verdict', async () => {
  answer = () => {};
  expect(await createHostCheck(website.fetch, { userAgent, readFile, timeout: 50 })(HOST)).toBe('none');
});

test('each request resolves the name anew and connects to the address that was checked', async () => {
  serve(404);
  expect(await check()).toBe('answered');
  expect(lookups).toBe(2);
});

test.each(['169.254.169.254', '10.0.0.1', '192.168.0.1'])(
  'a name that means %s at the second look-up is not asked there',
  async (address) => {
    serve(404);
    addresses = ['127.0.0.1', address];
    const errors: unknown[] = [];
    const fetch: GuardedFetch = (...call) =>
      website.fetch(...call).catch((error: unknown) => {
        errors.push(error);
        throw error;
      });
    expect(await createHostCheck(fetch, { userAgent, readFile })(HOST)).toBe('none');
    expect(paths()).toEqual(['/robots.txt']);
    expect(lookups).toBe(2);
    // Refused before it connects: without that it would be a time-out.
    expect(errors).toMatchObject([{ message: expect.stringMatching(`${address}.* not allowed`) }]);
  },
);

test('an endless robots.txt is read up to its limit', async () => {
  let isClosed = false;
  answer = ({ url }, response) => {
    if (url !== '/robots.txt') return response.writeHead(200).end();
    response.on('close', () => (isClosed = true));
    response.writeHead(200, { 'content-type': 'text/plain' }).write('User-agent: *\nDisallow: /\n');
    const write = () => response.write('# '.repeat(8_192), (error) => !error && write());
    write();
    return undefined;
  };
  expect(await check()).toBe('none');
  await expect.poll(() => isClosed).toBe(true);
  expect(paths()).toEqual(['/robots.txt']);
});

test('redirects of robots.txt are followed within its host, three of them', async () => {
  const redirect = (location: string) => (_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(302, { location }).end();
  answer = (request, response) => {
    if (request.url === '/robots.txt') return redirect('/other.txt')(request, response);
    return response.writeHead(200).end('User-agent: *\nDisallow: /');
  };
  expect(await check()).toBe('none');
  expect(paths()).toEqual(['/robots.txt', '/other.txt']);

  for (const [location, asked] of [
    ['/robots.txt', ['/robots.txt', '/robots.txt', '/robots.txt', '/robots.txt', '/']],
    ['https://other.example/robots.txt', ['/robots.txt', '/']],
    ['http://169.254.169.254/latest/meta-data/', ['/robots.txt', '/']],
    ['https://website.example:8443/robots.txt', ['/robots.txt', '/']],
  ] as const) {
    requests = [];
    answer = (request, response) =>
      request.url === '/robots.txt' ? redirect(location)(request, response) : response.writeHead(204).end();
    expect(await check()).toBe('answered');
    expect(paths()).toEqual(asked);
    expect(new Set(requests.map(({ headers }) => headers.host))).toEqual(new Set([HOST]));
  }
});

test('internal hosts look all the same: neither answering nor failing', async () => {
  serve(404);
  const port = Number(new URL(`https://x:${(website.server.address() as { port: number }).port}`).port);
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254']) {
    const fetch = createGuardedFetch({ lookup: (_name, _options, done) => done(null, [{ address, family: 4 }]), port });
    expect(await createHostCheck(fetch, { userAgent, readFile })(HOST)).toBe('none');
  }
  expect(requests).toEqual([]);
});

test.each([
  ['ENOTFOUND', 'failed'],
  ['ECONNREFUSED', 'none'],
  ['ECONNRESET', 'none'],
  ['ETIMEDOUT', 'none'],
  ['CERT_HAS_EXPIRED', 'none'],
  ['ESERVFAIL', 'none'],
])('an error with the code %s is the verdict %s', (code, verdict) => {
  expect(toVerdictOfError(Object.assign(new Error('Failed'), { code }))).toBe(verdict);
});
