import type { RequestListener } from 'node:http';
import type { LookupFunction } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startHttpsWebsite } from '../testing/https-website.ts';
import { createGuardedFetch, MAX_BODY_SIZE, RedirectError } from './guarded-fetch.ts';

const SITE = 'https://website.example/';
const userAgent = 'AgentRegistry (+https://registry.example)';
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Resolves each name to these addresses, one at a call; the last one is repeated. */
function lookupOf(...addresses: string[]) {
  return vi.fn<LookupFunction>((_hostname, _options, callback) => {
    const address = (addresses.length > 1 ? addresses.shift() : addresses[0]) ?? '';
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  });
}

/** Serves a website on the loopback address, and allows that address unless told otherwise. */
async function serve(listener: RequestListener, { lookup = lookupOf('127.0.0.1'), isAllowed = true } = {}) {
  const onRequest = vi.fn<RequestListener>(listener);
  const { server, fetch, close } = await startHttpsWebsite(onRequest, { lookup, isAllowed });
  closers.push(close);
  const get = (url = SITE, timeout = 5_000) => fetch(new URL(url), { userAgent, signal: AbortSignal.timeout(timeout) });
  return { get, fetch, onRequest, server, lookup };
}

describe('addresses', () => {
  test.each([
    ['this network', '0.0.0.0', '0.1.2.3', '::'],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
    ['link-local', '169.254.169.254', 'fe80::1', 'fec0::1'],
    ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
    [
      'IPv4-mapped and IPv4-compatible',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '::7f00:1',
      '::808:808',
      '::ffff:0:8.8.8.8',
    ],
    ['NAT64', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
    ['tunnels', '2002:7f00:1::1', '2001::1'],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['multicast and broadcast', '224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
    ['benchmarking and reserved', '198.18.0.1', '192.0.0.1', '240.0.0.1', '100::1', '5f00::1'],
  ])('a name that resolves to an address of %s is refused', async (_range, ...addresses) => {
    for (const address of addresses) {
      const { get, onRequest } = await serve(() => {}, { lookup: lookupOf(address), isAllowed: false });
      await expect(get()).rejects.toThrow(/is not allowed/);
      expect(onRequest).not.toHaveBeenCalled();
    }
  });

  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[::8.8.8.8]',
    '[64:ff9b::7f00:1]',
  ])('the address %s in place of a name is refused', async (host) => {
    const { get, onRequest } = await serve(() => {}, { isAllowed: false });
    await expect(get(`https://${host}/`)).rejects.toThrow(/is not allowed/);
    expect(onRequest).not.toHaveBeenCalled();
  });

  test('one private address among several is enough for a refusal', async () => {
    const lookup: LookupFunction = (_hostname, _options, callback) =>
      callback(null, [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    await expect((await serve(() => {}, { lookup: vi.fn<LookupFunction>(lookup) })).get()).rejects.toThrow(
      /10\.0\.0\.1/,
    );
  });

  test('the checked address is the one that is connected to, and each redirect is checked anew', async () => {
    const lookup = lookupOf('127.0.0.1', '169.254.169.254');
    const { get, onRequest } = await serve(
      ({ url }, response) =>
        url === '/' ? response.writeHead(302, { location: '/next' }).end() : response.end('not reached'),
      { lookup },
    );
    await expect(get()).rejects.toThrow(/169\.254\.169\.254.* is not allowed/);
    // A name is resolved once a connection.
    expect(lookup).toHaveBeenCalledTimes(2);
    expect(onRequest).toHaveBeenCalledTimes(1);
  });
});

test('the request names its path, its host and who asks, and takes no compressed body', async () => {
  const { get, onRequest } = await serve((_request, response) =>
    response.writeHead(203, { 'content-type': 'Text/HTML; charset=utf-8' }).end('Grüße'),
  );
  expect(await get(`${SITE}a/b?c=d#e`)).toMatchObject({
    status: 203,
    type: 'text/html',
    text: 'Grüße',
    isChallenge: false,
    headers: { 'content-type': 'Text/HTML; charset=utf-8' },
  });
  const [{ url, method, headers }] = onRequest.mock.calls[0]!;
  expect({ url, method, headers }).toEqual({
    url: '/a/b?c=d',
    method: 'GET',
    headers: { host: 'website.example', 'user-agent': userAgent, 'accept-encoding': 'identity', connection: 'close' },
  });
});

test('the port and the scheme of an address are not used', async () => {
  const { get } = await serve((_request, response) => response.end('here'));
  expect(await get('http://website.example:8080/')).toMatchObject({
    status: 200,
    type: '',
    text: 'here',
    isChallenge: false,
  });
});

test('a certificate of another name is refused', async () => {
  const { get, onRequest } = await serve((_request, response) => response.end());
  await expect(get('https://website.test/')).rejects.toThrow(/does not match/);
  expect(onRequest).not.toHaveBeenCalled();
});

test.each([
  'https://169.254.169.254/latest/meta-data',
  'https://other.example/',
  'https://www.website.example/',
  'http://website.example/',
  'https://website.example:8443/',
  '//other.example/',
  'file:///etc/passwd',
  'http://[',
])('a redirect to %s is not followed', async (location) => {
  const { get, onRequest } = await serve((_request, response) => response.writeHead(302, { location }).end());
  await expect(get()).rejects.toThrow(RedirectError);
  expect(onRequest).toHaveBeenCalledTimes(1);
});

test('redirects within the host are followed three times', async () => {
  const { get } = await serve(({ url }, response) => {
    const step = Number(url?.slice(1));
    if (step < 3) response.writeHead(301, { location: `/${step + 1}` }).end();
    else response.end('the end');
  });
  expect(await get(`${SITE}0`)).toMatchObject({ status: 200, text: 'the end' });
  await expect(get(`${SITE}-1`)).rejects.toThrow(RedirectError);
});

test('the rest of an endless body is not read', async () => {
  let isClosed = false;
  const { get } = await serve((_request, response) => {
    const write = () => response.write('x'.repeat(16_384), () => !isClosed && write());
    response.on('close', () => (isClosed = true));
    write();
  });
  expect((await get()).text).toBe('x'.repeat(MAX_BODY_SIZE));
  await vi.waitFor(() => expect(isClosed).toBe(true));
});

describe('a body that is read line by line', () => {
  /** The lines that are looked at of a body, which comes in chunks of some bytes. */
  async function readLines(body: Buffer, size: number, isComplete = (_line: string) => false) {
    const chunks = Array.from({ length: body.length / size }, (_, index) =>
      body.subarray(index * size, (index + 1) * size),
    );
    const frames = chunks.map((chunk) => Buffer.concat([Buffer.from(`${size}\r\n`), chunk, Buffer.from('\r\n')]));
    const { fetch } = await serve((_request, response) => {
      response.flushHeaders();
      response.socket?.end(Buffer.concat([...frames, Buffer.from('0\r\n\r\n')]));
    });
    const lines: string[] = [];
    const { text } = await fetch(new URL(SITE), {
      userAgent,
      signal: AbortSignal.timeout(5_000),
      isComplete(line) {
        lines.push(line);
        return isComplete(line);
      },
    });
    return { lines, text };
  }

  test.each([1, 2, 3])('is given whole, in chunks of %i bytes', async (size) => {
    const { lines, text } = await readLines(Buffer.from('événement\r\n\ndata: 潮\n\r\rrest'.repeat(6)), size);
    expect(text).toBe('événement\r\n\ndata: 潮\n\r\rrest'.repeat(6));
    expect(lines).toEqual(text.split(/\r\n|\r|\n/).slice(0, -1));
  });

  test('ends at the line that is enough', async () => {
    const { lines } = await readLines(Buffer.from('a\nb\nc\nd\n'), 8, (line) => line === 'b');
    expect(lines).toEqual(['a', 'b']);
  });

  test.each(['\n', '\r', 'x', 'x\n'])('is looked at once, whatever its chunks of %j are', async (chunk) => {
    const { lines, text } = await readLines(Buffer.from(chunk.repeat(16_384)), chunk.length);
    expect(text.length).toBe(16_384 * chunk.length);
    expect(lines.length + lines.join('').length).toBeLessThanOrEqual(text.length);
  });
});

test.each([
  ['sends no headers', () => {}],
  ['sends its body slowly', (_request, response) => void response.write('x')],
  ['never ends its headers', ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\nx: ')],
] satisfies [string, RequestListener][])('a server that %s is left at the time limit', async (_case, listener) => {
  const { get, server } = await serve(listener);
  const closed = new Promise((resolve) => server.on('secureConnection', (socket) => socket.on('close', resolve)));
  await expect(get(SITE, 300)).rejects.toThrow();
  await closed;
});

test('a name that nothing resolves is an error', async () => {
  const fetch = createGuardedFetch();
  await expect(fetch(new URL('https://website.invalid/'), { userAgent, signal: AbortSignal.timeout(5_000) }))
    .rejects //
    .toThrow();
});

describe('bodies as websites really send them', () => {
  const text = JSON.stringify({ name: 'Grüße' });
  test.each<[string, Record<string, string>, Buffer]>([
    ['a byte order mark', {}, Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', {}, Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['another charset', { 'content-type': 'application/json; charset="ISO-8859-1"' }, Buffer.from(text, 'latin1')],
    ['an unknown charset', { 'content-type': 'application/json; charset=x-none' }, Buffer.from(text)],
    ['gzip', { 'content-encoding': 'gzip' }, gzipSync(text)],
    ['deflate', { 'content-encoding': 'Deflate' }, deflateSync(text)],
    ['Brotli', { 'content-encoding': 'br' }, brotliCompressSync(text)],
    ['Zstandard', { 'content-encoding': 'zstd' }, zstdCompressSync(text)],
    ['an encoding of no name', { 'content-encoding': 'identity' }, Buffer.from(text)],
  ])('%s is read', async (_name, headers, body) => {
    const { get } = await serve((_request, response) => response.writeHead(200, headers).end(body));
    expect((await get()).text).toBe(text);
  });

  test('a compressed body is read up to the limit of what it decompresses to', async () => {
    const body = gzipSync(Buffer.alloc(50_000_000, 'x'));
    const { get } = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
    );
    expect((await get()).text).toBe('x'.repeat(MAX_BODY_SIZE));
  });

  test('a body that is not compressed as it says is an error', async () => {
    const { get } = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'),
    );
    await expect(get()).rejects.toThrow();
  });
});
