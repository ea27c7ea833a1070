import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startHttpsWebsite, type HttpsWebsite } from '../testing/https-website.ts';
import { createFileReader } from '../website-files/read-file.ts';
import { createRobotsReader } from './read-robots.ts';
import { toUserAgent } from './user-agent.ts';

const PAGE = new URL('https://website.example/mcp');
const readFile = createFileReader();
const userAgent = toUserAgent('https://registry.example');

let website: HttpsWebsite;
let requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  website = await startHttpsWebsite((request, response) => {
    requests.push(request);
    answer(request, response);
  });
});

beforeEach(() => {
  requests = [];
});

afterAll(() => website.close());

const read = () => createRobotsReader(website.fetch, { userAgent, readFile })(PAGE, AbortSignal.timeout(10_000));
const paths = () => requests.map(({ url }) => url);

test.each([
  ['User-agent: *\nDisallow: /', false],
  ['User-agent: AgentRegistry\nDisallow: /', false],
  ['User-agent: *\nDisallow: /\n\nUser-agent: agentregistry\nAllow: /', true],
  ['User-agent: *\nDisallow: /private', true],
  ['User-agent: Other\nDisallow: /', true],
  ['<!doctype html>', true],
  ['\n<pre>\nUser-agent: *\nDisallow: /\n</pre>', true],
  ['', true],
])('robots.txt is honoured: %j', async (robots, isAllowed) => {
  answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(robots);
  expect(await read()).toEqual({ isAllowed, status: 200 });
});

test('the request is named, links to its explanation, and has no cookies', async () => {
  answer = (_request, response) => response.writeHead(404, { 'set-cookie': 'a=b' }).end();
  await read();
  await read();
  for (const { method, headers } of requests) {
    expect(method).toBe('GET');
    expect(headers['user-agent']).toBe('AgentRegistry (+https://registry.example/api/docs#requests-to-websites)');
    expect(headers).not.toHaveProperty('cookie');
  }
});

test.each([
  [404, true],
  [500, false],
  [503, false],
])('the status %i allows a request: %s', async (status, isAllowed) => {
  answer = (_request, response) => response.writeHead(status).end('User-agent: *\nDisallow: /');
  expect(await read()).toEqual({ isAllowed, status });
});

test('an endless robots.txt is read up to its limit', async () => {
  let isClosed = false;
  answer = (_request, response) => {
    response.on('close', () => (isClosed = true));
    response.writeHead(200, { 'content-type': 'text/plain' }).write('User-agent: *\nDisallow: /\n');
    const write = () => response.write('# '.repeat(8_192), (error) => !error && write());
    write();
  };
  expect(await read()).toMatchObject({ isAllowed: false });
  await expect.poll(() => isClosed).toBe(true);
});

test('redirects of robots.txt are followed within its host, three of them', async () => {
  const redirect = (location: string) => (_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(302, { location }).end();
  answer = (request, response) => {
    if (request.url === '/robots.txt') return redirect('/other.txt')(request, response);
    return response.writeHead(200).end('User-agent: *\nDisallow: /');
  };
  expect(await read()).toMatchObject({ isAllowed: false });
  expect(paths()).toEqual(['/robots.txt', '/other.txt']);

  for (const [location, asked] of [
    ['/robots.txt', ['/robots.txt', '/robots.txt', '/robots.txt', '/robots.txt']],
    ['https://other.example/robots.txt', ['/robots.txt']],
    ['http://169.254.169.254/latest/meta-data/', ['/robots.txt']],
    ['https://website.example:8443/robots.txt', ['/robots.txt']],
  ] as const) {
    requests = [];
    answer = redirect(location);
    expect(await read()).toMatchObject({ isAllowed: true });
    expect(paths()).toEqual(asked);
    expect(new Set(requests.map(({ headers }) => headers.host))).toEqual(new Set([PAGE.host]));
  }
});
