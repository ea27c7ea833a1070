import { Agent as HttpAgent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** The address of one attacker. */
const ADDRESS = '127.0.0.2';
/** How long a closed connection waits before it is opened again, in milliseconds. */
const REOPEN_DELAY = 500;
/** How long a request may take, in milliseconds. */
const TIMEOUT = 10_000;

/** The server, and the time when the attack ends. */
export type Target = { url: string; isOver: () => boolean };
/** Numbers by what they count, such as a status. */
export type Counts = Record<string, number>;
/** A request; it comes from the address of one attacker if it names no other. */
export type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string; from?: string };

/** Sends requests over many connections, each as fast as its responses arrive; counts responses by status. */
export async function flood(
  { url, isOver }: Target,
  connections: number,
  toRequest: (index: number) => Sent,
): Promise<Counts> {
  const agents = new Map<string, HttpAgent>();
  const counts: Counts = {};
  let sent = 0;
  const sendForever = async () => {
    while (!isOver()) {
      const { from = ADDRESS, ...rest } = toRequest((sent += 1));
      const agent = agents.get(from) ?? new HttpAgent({ keepAlive: true, localAddress: from });
      agents.set(from, agent);
      const what = await exchange(url, rest, agent);
      counts[what] = (counts[what] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, sendForever));
  for (const agent of agents.values()) agent.destroy();
  return counts;
}

/** Keeps connections open that send some bytes and read nothing; opens them again when they are closed. */
export async function holdConnections(
  { url, isOver }: Target,
  connections: number,
  toBytes: (index: number) => string,
): Promise<Counts> {
  const { hostname, port } = new URL(url);
  let [opened, closed] = [0, 0];
  const holdOne = async (index: number) => {
    while (!isOver()) {
      const socket = connect({ host: hostname, port: Number(port), localAddress: ADDRESS });
      socket.on('error', () => {});
      socket.write(toBytes(index));
      opened += 1;
      await Promise.race([new Promise((resolve) => socket.once('close', resolve)), waitUntil(isOver)]);
      if (!isOver()) closed += 1;
      socket.destroy();
      await wait(REOPEN_DELAY);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => holdOne(index)));
  return { opened, 'closed by the server': closed };
}

function exchange(url: string, { method = 'GET', path, headers = {}, body = '' }: Sent, agent: HttpAgent) {
  return new Promise<string>((resolve) => {
    const sent = request(url + path, { method, agent, headers, timeout: TIMEOUT }, (response) => {
      response.resume();
      response.once('close', () => resolve(String(response.statusCode)));
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve('broken off'));
    sent.end(body);
  });
}

async function waitUntil(isOver: () => boolean): Promise<void> {
  while (!isOver()) await wait(200);
}

/** Makes a request with a JSON body. */
export function postJson(path: string, body: unknown): Sent {
  return { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
