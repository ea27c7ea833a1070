import { beforeEach, expect, test } from 'vitest';
import { defaultConfig } from '../config.ts';
import { defaultServerOptions } from '../server-options.ts';
import { createMemoryRateLimitStore, createRateLimiter } from '../rate-limit/rate-limiter.ts';
import type { RegistryError } from '../registry-error.ts';
import { MAX_CLIENTS } from '../website-check/host-lines.ts';
import { createReadInTurn, type ReadInTurn } from './read-in-turn.ts';

const HOUR = 3_600_000;
const SHARED = 'https://shared.example/';

let time: number;
let readings: ReadInTurn;
/** The addresses that were read. */
let begun: string[];
/** Ends the running readings, those of each address. */
let running: Map<string, () => void>;
/** Whether readings run until the test ends them. */
let isSlow: boolean;

beforeEach(() => {
  time = 0;
  begun = [];
  running = new Map();
  isSlow = false;
  const store = createMemoryRateLimitStore(() => time);
  const limiter = createRateLimiter({ ...defaultConfig, ...defaultServerOptions }, store);
  readings = createReadInTurn(
    async (url) => {
      begun.push(url);
      if (isSlow) await new Promise<void>((resolve) => running.set(url, resolve));
      return { descriptions: [], redirectsTo: undefined };
    },
    limiter,
    store,
  );
});

/** Has an address read; gives the refusal. */
async function read(url: string, address = '192.0.2.1') {
  const error = await readings(url, { origin: 'https://registry.example', address }).then(
    () => undefined,
    (refusal: unknown) => refusal as RegistryError,
  );
  return error && { kind: error.kind, message: error.message, retryAfter: error.headers['Retry-After'] };
}

const toClient = (index: number) => `198.51.${index >> 8}.${index & 255}`;

test('however many clients ask, a host is read once at a time and few of them wait, while other hosts are read', async () => {
  isSlow = true;
  const busy = {
    kind: 'too-many',
    message: 'Other readings of shared.example are under way. Try again in 10 seconds',
    retryAfter: '10',
  };
  const paths = Array.from({ length: MAX_CLIENTS }, (_, index) => `${SHARED}${index}`);
  const waiting = paths.map((path, index) => read(path, toClient(index)));
  for (let index = 0; index < 100; index += 1) {
    expect(await read('https://SHARED.example./other', toClient(MAX_CLIENTS + index))).toEqual(busy);
  }
  const other = read('https://other.example/', toClient(1));
  await expect.poll(() => running.size).toBe(2);
  expect(begun).toEqual([paths[0], 'https://other.example/']);
  for (const url of ['https://other.example/', ...paths]) {
    await expect.poll(() => running.has(url)).toBe(true);
    running.get(url)!();
  }
  expect(await Promise.all([...waiting, other])).toEqual([...waiting, other].map(() => undefined));
  isSlow = false;
  expect(await read(SHARED, toClient(0))).toBeUndefined();
});

test('a client, such as an IPv6 /48, has sixty readings an hour of all hosts together', async () => {
  for (let index = 0; index < 60; index += 1) {
    expect(await read(`https://host-${index}.example`, `2001:db8:1:${index}::1`)).toBeUndefined();
  }
  expect(await read(SHARED, '2001:db8:1:ff::1')).toEqual({
    kind: 'too-many',
    message: 'Your address asked for 60 readings of websites within an hour. Try again in 60 minutes',
    retryAfter: '3600',
  });
  expect(await read(SHARED, '2001:db8:2::1')).toBeUndefined();
  time = HOUR;
  expect(await read(SHARED, '2001:db8:1:ff::1')).toBeUndefined();
});

test('all clients together have 600 readings an hour, of which refused ones use up none', async () => {
  for (let count = 0; count < 70; count += 1) await read(`https://host-${count}.example`);
  for (let index = 60; index < 600; index += 1) {
    expect(await read(`https://host-${index}.example`, toClient(index))).toBeUndefined();
  }
  expect(await read(SHARED, '203.0.113.1')).toEqual({
    kind: 'too-many',
    message: 'All clients together asked for 600 readings of websites within an hour. Try again in 60 minutes',
    retryAfter: '3600',
  });
  expect(begun).toHaveLength(600);
  time = HOUR;
  expect(await read(SHARED, '203.0.113.1')).toBeUndefined();
});
