import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toHttpError } from '../../http-error.ts';
import { registerStaticFiles } from './static-files.ts';

const FILES = {
  'assets/index-abc123.js': 'script',
  'assets/index-abc123.js.br': 'script in br',
  'assets/index-abc123.js.gz': 'script in gzip',
  'assets/only-gzip.css': 'style',
  'assets/only-gzip.css.gz': 'style in gzip',
  'assets/inter.woff2': 'font',
  'favicon.ico': 'icon',
  'favicon.svg': 'drawing',
  'icon-192.png': 'picture',
  'manifest.webmanifest': '{}',
  'google123.html': 'proof',
  'data.unknown': 'bytes',
  'index.html': 'template',
  '.vite/manifest.json': '{}',
  'server/entry-server.js': 'server',
};
const app = Fastify();
app.setErrorHandler(async (error: Error, _request, reply) => reply.code(toHttpError(error).status).send());

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-web-'));
  for (const name of ['assets', '.vite', 'server']) await mkdir(join(folder, name));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  registerStaticFiles(app, folder, []);
  // No file is opened for a request, so none can fail.
  await rm(folder, { recursive: true });
});

afterAll(() => app.close());

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers });

test.each([
  ['/assets/index-abc123.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/assets/only-gzip.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/assets/inter.woff2', 'font/woff2', 'public, max-age=31536000, immutable'],
  ['/favicon.ico', 'image/vnd.microsoft.icon', 'public, max-age=3600'],
  ['/favicon.svg', 'image/svg+xml', 'public, max-age=3600'],
  ['/icon-192.png', 'image/png', 'public, max-age=3600'],
  ['/manifest.webmanifest', 'application/manifest+json', 'public, max-age=3600'],
  ['/google123.html', 'text/html; charset=utf-8', 'public, max-age=3600'],
  ['/data.unknown', 'application/octet-stream', 'public, max-age=3600'],
])('%s is served from memory as %s', async (path, type, cacheControl) => {
  const { statusCode, headers, body } = await ask(path);
  expect({ statusCode, body }).toEqual({ statusCode: 200, body: FILES[path.slice(1) as keyof typeof FILES] });
  expect(headers).toMatchObject({ 'content-type': type, 'cache-control': cacheControl, vary: 'Accept-Encoding' });
});

test.each(['/index.html', '/.vite/manifest.json', '/server/entry-server.js', '/assets/index-abc123.js.br'])(
  '%s is not served',
  async (path) => expect((await ask(path)).statusCode).toBe(404),
);

test.each([
  ['/assets/index-abc123.js', 'gzip, deflate, br', 'br'],
  ['/assets/index-abc123.js', 'gzip', 'gzip'],
  ['/assets/index-abc123.js', 'br;q=0, gzip', 'gzip'],
  ['/assets/index-abc123.js', 'deflate', undefined],
  ['/assets/only-gzip.css', 'gzip, deflate, br', 'gzip'],
  ['/favicon.svg', 'gzip, deflate, br', undefined],
])('%s for Accept-Encoding: %s is sent as the build has compressed it (%s)', async (path, accepted, encoding) => {
  const { headers, body } = await ask(path, { 'accept-encoding': accepted });
  expect(headers['content-encoding']).toBe(encoding);
  expect(body).toBe(FILES[path.slice(1) as keyof typeof FILES] + (encoding ? ` in ${encoding}` : ''));
});

test('each encoding has its own ETag, and 304 is the response to any of them', async () => {
  const path = '/assets/index-abc123.js';
  const tags = await Promise.all(
    ['br', 'gzip', 'identity'].map(
      async (encoding) => (await ask(path, { 'accept-encoding': encoding })).headers.etag ?? '',
    ),
  );
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) {
    const { statusCode, headers, body } = await ask(path, { 'if-none-match': tag, 'accept-encoding': 'br' });
    expect({ statusCode, body, etag: headers.etag }).toEqual({ statusCode: 304, body: '', etag: tags[0] });
    expect(headers).not.toHaveProperty('content-encoding');
  }
  expect((await ask(path, { 'if-none-match': '"other"' })).statusCode).toBe(200);
});

test('HEAD has the headers of GET and no body', async () => {
  const get = await ask('/assets/index-abc123.js', { 'accept-encoding': 'br' });
  const head = await ask('/assets/index-abc123.js', { 'accept-encoding': 'br' }, 'HEAD');
  const { date: _date, ...headers } = get.headers;
  expect(head.statusCode).toBe(200);
  expect(head.headers).toMatchObject(headers);
  expect(head.body).toBe('');
});

test('a request with If-Match gets the file that it names, in whatever encoding, and else 412', async () => {
  const path = '/assets/index-abc123.js';
  const tag = (await ask(path)).headers.etag ?? '';
  for (const named of [tag, tag.replace(/"$/, '-br"'), `"other", ${tag}`, '*']) {
    expect((await ask(path, { 'if-match': named })).statusCode).toBe(200);
  }
  for (const named of ['"other"', `W/${tag}`, '']) {
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, headers } = await ask(path, { 'if-match': named, 'if-none-match': tag }, method);
      expect([named, statusCode, headers.etag]).toEqual([named, 412, undefined]);
    }
  }
});
