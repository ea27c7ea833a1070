// The worker thread of `attacks.ts` that attacks a server, so that it does not delay the visitors' clock.
import { Agent as HttpAgent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';

/** One attacker. It has one address, except where an attack says otherwise. */
const ADDRESS = '127.0.0.2';
/** How long an attacker waits before it opens a closed connection again, in milliseconds. */
const REOPEN_DELAY = 500;

/** What an attack needs to know. */
export type AttackData = {
  name: AttackName;
  url: string;
  /** The ids of the agents in the registry. */
  ids: readonly string[];
  seconds: number;
};

/** What an attack has done: numbers by what they count, such as a status. */
export type AttackResult = Record<string, number>;

type Target = Omit<AttackData, 'name'> & { isOver: () => boolean };
type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string; from?: string };

/** The attacks, by the name of their row in docs/operations.md. */
const attacks = {
  'open idle or slow connections': (target: Target) =>
    holdConnections(target, 2_000, () => 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '),
  'request and not read': (target: Target) =>
    holdConnections(target, 150, (index) => `GET /api/agents?x=${index} HTTP/1.1\r\nHost: x\r\n\r\n`),
  'read what is not cached: searches, rare pages': (target: Target) => flood(target, 32, readUncached(target)),
  'search in tRPC batches': (target: Target) => flood(target, 8, searchInBatches),
  'register agents with thousands of new words': (target: Target) => flood(target, 10, registerNewWords),
  'request Open Graph images': (target: Target) =>
    flood(target, 100, (index) => ({ path: `/agent/${pick(target.ids, index)}/picture.png` })),
  'invent forms that no limit counts': (target: Target) => flood(target, 32, inventForms(target)),
};

/** The name of an attack. */
export type AttackName = keyof typeof attacks;

const { name, seconds, ...rest } = workerData as AttackData;
const end = performance.now() + seconds * 1_000;
const result = await attacks[name]({ ...rest, seconds, isOver: () => performance.now() > end });
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
parentPort?.postMessage(result satisfies AttackResult);

function pick<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}

/** Sends requests over many connections, each as fast as its responses arrive; counts responses by status. */
async function flood(target: Target, connections: number, toRequest: (index: number) => Sent): Promise<AttackResult> {
  const agents = new Map<string, HttpAgent>();
  const counts: AttackResult = {};
  let sent = 0;
  const sendForever = async () => {
    while (!target.isOver()) {
      const { from = ADDRESS, ...rest } = toRequest((sent += 1));
      const agent = agents.get(from) ?? new HttpAgent({ keepAlive: true, localAddress: from });
      agents.set(from, agent);
      const what = await exchange(target.url, rest, agent);
      counts[what] = (counts[what] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, sendForever));
  for (const agent of agents.values()) agent.destroy();
  return counts;
}

function exchange(url: string, { method = 'GET', path, headers = {}, body = '' }: Sent, agent: HttpAgent) {
  return new Promise<string>((resolve) => {
    const sent = request(url + path, { method, agent, headers, timeout: 10_000 }, (response) => {
      response.resume();
      response.once('close', () => resolve(String(response.statusCode)));
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve('broken off'));
    sent.end(body);
  });
}

/** Keeps connections open that send some bytes and read nothing; opens them again when they are closed. */
async function holdConnections(
  { url, isOver }: Target,
  amount: number,
  toBytes: (index: number) => string,
): Promise<AttackResult> {
  const { hostname, port } = new URL(url);
  let [opened, closed] = [0, 0];
  const holdOne = async (index: number) => {
    while (!isOver()) {
      const socket: Socket = connect({ host: hostname, port: Number(port), localAddress: ADDRESS });
      socket.on('error', () => {});
      socket.write(toBytes(index));
      opened += 1;
      await Promise.race([new Promise((resolve) => socket.once('close', resolve)), waitUntil(isOver)]);
      if (!isOver()) closed += 1;
      socket.destroy();
      await wait(REOPEN_DELAY);
    }
  };
  await Promise.all(Array.from({ length: amount }, (_, index) => holdOne(index)));
  return { opened, 'closed by the server': closed };
}

async function waitUntil(isOver: () => boolean): Promise<void> {
  while (!isOver()) await wait(200);
}

function readUncached({ ids }: Target) {
  return (index: number): Sent => {
    const id = pick(ids, index);
    return { path: pick([`/agent/${id}`, `/?q=word${index}`, `/api/search?q=word${index}`], index) };
  };
}

function searchInBatches(index: number): Sent {
  const inputs = Array.from({ length: 10 }, (_, call) => [call, { q: `assistnt${index} dta${call}` }]);
  return {
    path: `/trpc/${Array<string>(10).fill('agents.search').join(',')}?batch=1&input=${encodeURIComponent(JSON.stringify(Object.fromEntries(inputs)))}`,
  };
}

/** Registrations as long as may be, of words that no other agent has, from eleven addresses. */
function registerNewWords(index: number): Sent {
  let next = index * 1_000;
  const toText = (length: number) =>
    Array.from({ length: Math.floor((length + 1) / 7) }, () => `w${((next += 1) + 1e7).toString(36)}`).join(' ');
  const agent = makeNewAgent({
    name: toText(100),
    description: toText(2_000),
    capabilities: Array.from({ length: 30 }, () => toText(60)),
  });
  return { ...postJson('/api/agents', agent), from: `127.0.4.${1 + (index % 11)}` };
}

function postJson(path: string, body: unknown): Sent {
  return { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Reads and registrations in all forms, under invented addresses. */
function inventForms({ ids }: Target) {
  return (index: number): Sent => {
    const id = pick(ids, index);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = pick<Sent>(
      [
        { path: `/agent/${id}/` },
        { path: `/agent/${id}?x=${index}`, method: 'HEAD' },
        { path: `/api/search?q=word${index}` },
        searchInBatches(index),
        { path: '/', method: 'POST', headers: form, body: `name=&terms=on&x=${index}` },
        postJson('/api/agents', { name: index }),
        postJson('/trpc/agents.register?batch=1', { 0: {} }),
      ],
      index,
    );
    const forged = `203.0.113.${index % 256}`;
    const headers = { 'x-forwarded-for': forged, forwarded: `for=${forged}`, 'x-real-ip': forged };
    return { ...sent, headers: { ...sent.headers, ...headers } };
  };
}
