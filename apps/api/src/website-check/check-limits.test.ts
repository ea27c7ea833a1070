import type { Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { beforeEach, expect, test } from 'vitest';
import { createMemoryRateLimitStore } from '../rate-limit/rate-limiter.ts';
import type { RegistryError } from '../registry-error.ts';
import { MAX_CLIENTS } from './host-lines.ts';
import { createChallenges } from './website-challenge.ts';
import { createWebsiteClaims, type WebsiteClaims } from './website-claims.ts';

const HOUR = 3_600_000;
const SHARED = 'https://shared.example/';

let time: number;
let claims: WebsiteClaims;
/** The websites that were checked. */
let checked: string[];
/** Ends the running checks, those of each website. */
let running: Map<string, () => void>;
/** Whether checks run until the test ends them. */
let isSlow: boolean;

beforeEach(() => {
  time = 0;
  checked = [];
  running = new Map();
  isSlow = false;
  claims = createWebsiteClaims({
    challenges: createChallenges(Buffer.from('secret')),
    sharedHosts: [],
    readDomainKeys: async () => [],
    async checkWebsite({ website }) {
      checked.push(website);
      if (isSlow) await new Promise<void>((resolve) => running.set(website, resolve));
      return 'page';
    },
    rateLimitStore: createMemoryRateLimitStore(() => time),
    onChecked: () => {},
  });
});

const makeAgents = (count: number, toWebsite: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => makeAgent({ website: toWebsite(index) }));

/** Asks for a check; gives the refusal. */
async function check(agent: Agent, address = '192.0.2.1', isOwner = false) {
  const claimant = { keyHash: 'hash', origin: 'https://registry.example', address, isOwner };
  const error = await claims.check(agent, claimant).then(
    () => undefined,
    (refusal: unknown) => refusal as RegistryError,
  );
  if (!error) return undefined;
  const { kind, message, headers } = error;
  return { kind, message, retryAfter: headers['Retry-After'] };
}

test('a client has an agent checked five times a day, and no client uses up the checks of another', async () => {
  const agent = makeAgent({ website: SHARED });
  const refusal = {
    kind: 'too-many',
    message: 'Your address asked for 5 checks of this website within a day. Try again in 24 hours',
    retryAfter: '86400',
  };
  for (let count = 0; count < 5; count += 1) expect(await check(agent)).toBeUndefined();
  expect(await check(agent)).toEqual(refusal);
  expect(await check(agent, '192.0.2.2')).toBeUndefined();
  time = 23.2 * HOUR;
  expect(await check(agent)).toMatchObject({ message: expect.stringContaining('Try again in 48 minutes') });
  time = 24 * HOUR;
  expect(await check(agent)).toBeUndefined();
});

test('an IPv6 /48 is one client', async () => {
  const agent = makeAgent({ website: SHARED });
  for (let count = 0; count < 5; count += 1) expect(await check(agent, `2001:db8:1:${count}::1`)).toBeUndefined();
  expect(await check(agent, '2001:db8:1:5::1')).toMatchObject({ kind: 'too-many' });
  expect(await check(agent, '2001:db8:2::1')).toBeUndefined();
});

test('a client has a host checked twenty times an hour, in whatever spelling', async () => {
  const agents = makeAgents(21, (index) => `https://${index % 2 ? 'shared.example.' : 'SHARED.example'}/${index}`);
  for (const agent of agents.slice(1)) expect(await check(agent)).toBeUndefined();
  expect(await check(agents[0]!)).toEqual({
    kind: 'too-many',
    message: 'Your address asked for 20 checks of shared.example within an hour. Try again in 60 minutes',
    retryAfter: '3600',
  });
  expect(await check(makeAgent({ website: 'https://other.example' }))).toBeUndefined();
  expect(await check(agents[0]!, '192.0.2.2')).toBeUndefined();
});

test('one registrable domain counts as one host, on a shared host one account', async () => {
  const counted = async (toWebsite: (index: number) => string) => {
    const refusals = [];
    for (const agent of makeAgents(21, toWebsite)) refusals.push(await check(agent));
    return refusals.findIndex((refusal) => refusal !== undefined);
  };
  expect(await counted((index) => `https://host-${index}.example.co.uk/`)).toBe(20);
  expect(await counted((index) => `https://bitbucket.org/Someone/${index}`)).toBe(20);
  expect(await counted((index) => `https://gist.github.com/${index % 2 ? 'other' : 'Other'}`)).toBe(20);
  expect(await counted((index) => `https://github.com/account-${index}`)).toBe(-1);
  expect(await counted((index) => `https://someone-${index}.github.io/`)).toBe(-1);
  expect(await counted((index) => `https://company-${index}.co.uk/`)).toBe(-1);
});

test('all clients together have 600 checks an hour, of which refused ones use up none', async () => {
  const agents = makeAgents(600, (index) => `https://host-${index}.example`);
  for (let count = 0; count < 10; count += 1) await check(agents[0]!, '198.51.100.1');
  expect(checked).toHaveLength(5);
  for (const [index, agent] of agents.slice(5).entries()) {
    expect(await check(agent, `192.0.${index >> 8}.${index & 255}`)).toBeUndefined();
  }
  expect(await check(agents[0]!, '203.0.113.1')).toMatchObject({
    message: 'All clients together asked for 600 checks of websites within an hour. Try again in 60 minutes',
    retryAfter: '3600',
  });
  expect(checked).toHaveLength(600);
  time = HOUR;
  expect(await check(agents[0]!, '203.0.113.1')).toBeUndefined();
});

test('a host is checked once at a time, and other hosts meanwhile', async () => {
  isSlow = true;
  const [first, second, other] = ['https://shared.example/1', 'https://shared.example/2', 'https://other.example/'];
  const results = [first, second, other].map((website, client) =>
    check(makeAgent({ website: website }), `192.0.2.${client}`),
  );
  await expect.poll(() => running.size).toBe(2);
  expect(checked).toEqual([first, other]);
  for (const website of [first, other, second]) {
    await expect.poll(() => running.has(website)).toBe(true);
    running.get(website)!();
  }
  expect(await Promise.all(results)).toEqual([undefined, undefined, undefined]);
});

test('few clients have a place in the line of a host, each one, and owners have places that others cannot take', async () => {
  isSlow = true;
  const busy = {
    kind: 'too-many',
    message: 'Other checks of shared.example are under way. Try again in 10 seconds',
    retryAfter: '10',
  };
  const agents = makeAgents(MAX_CLIENTS + 2, () => SHARED);
  const results = [check(agents[0]!)];
  // Not counted against the limits of the client.
  for (const agent of [...agents, ...agents, ...agents, ...agents]) expect(await check(agent)).toEqual(busy);
  for (let client = 2; client <= MAX_CLIENTS; client += 1) results.push(check(agents[client]!, `192.0.2.${client}`));
  expect(await check(agents[0]!, '192.0.2.99')).toEqual(busy);
  // Two owners, one of whom has the address of a client that waits.
  results.push(check(agents[0]!, '192.0.2.99', true), check(agents[1]!, '192.0.2.1', true));
  expect(await check(agents[0]!, '192.0.2.98', true)).toEqual(busy);
  isSlow = false;
  await expect.poll(() => running.has(SHARED)).toBe(true);
  running.get(SHARED)!();
  expect(await Promise.all(results)).toEqual(results.map(() => undefined));
  expect(checked).toHaveLength(MAX_CLIENTS + 2);
});
