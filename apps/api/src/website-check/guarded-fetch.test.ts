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
  // The special-purpose registries of IANA, with multicast and what is given to nobody.
  const blocks = [
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
    '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24',
    '203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32',
    '::/128 ::1/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23',
    '2001::/32 2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28',
    '2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10',
    'fec0::/10 ff00::/8 200::/7 400::/6 800::/5 1000::/4 4000::/3 6000::/3 8000::/3 a000::/3 c000::/3 e000::/4 f000::/5',
    'f800::/6',
  ].flatMap((line) => line.split(' '));

  /** The first, a middle and the last address of a block. */
  function addressesOf(block: string): string[] {
    const [prefix = '', length = ''] = block.split('/');
    const isFour = prefix.includes('.');
    const [left = '', right = ''] = prefix.split('::');
    const [begin, end] = [left, right].map((part) => part.split(':').filter(Boolean));
    const groups = isFour
      ? prefix.split('.')
      : [...begin!, ...Array<string>(8 - begin!.length - end!.length).fill('0'), ...end!];
    const [radix, width] = isFour ? [10, 8] : [16, 16];
    const first = groups.reduce((sum, group) => (sum << BigInt(width)) + BigInt(Number.parseInt(group, radix)), 0n);
    const size = 2n ** BigInt((isFour ? 32 : 128) - Number(length));
    const write = (address: bigint) =>
      groups
        .map((_, index) =>
          ((address >> BigInt(width * (groups.length - 1 - index))) & (2n ** BigInt(width) - 1n)).toString(radix),
        )
        .join(isFour ? '.' : ':');
    return [...new Set([first, first + size / 2n, first + size - 1n])].map(write);
  }

  test('a name that resolves to an address of a special-purpose network is refused', async () => {
    const { get, onRequest } = await serve(() => {}, {
      lookup: lookupOf(...blocks.flatMap(addressesOf)),
      isAllowed: false,
    });
    for (const address of blocks.flatMap(addressesOf)) {
      const fault = await get().catch((error: Error) => error.message);
      expect([address, fault]).toEqual([address, expect.stringContaining('is not allowed')]);
    }
    expect(onRequest).not.toHaveBeenCalled();
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
