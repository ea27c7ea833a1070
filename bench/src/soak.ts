// The last step of `pnpm soak`: minutes of mixed load on the built server, whose memory must stay flat.
import { Agent as HttpAgent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { categoryIds, type Agent } from '@agent-registry/contracts';
import { toNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { makeRandom } from '../../apps/api/src/testing/corpora.ts';
import { engineNames, withCorpus, type Corpus, type EngineName } from './corpus.ts';
import { count, createReport, median, megabytes, type Report } from './report.ts';
import { readMemory, startServer } from './server.ts';

/**
 * The median of the memory may grow by a tenth or by 16 MB, whichever is more, from one half of the time to the other.
 */
const GROWTH = { ratio: 1.1, bytes: 16e6 };
/** The share of the time in which caches and pools may fill. */
const WARM_UP = 0.25;
const ROWS = 10;
const REGISTRATIONS_PER_SECOND = 5;

type Sample = { at: number; memory: number; responses: number };
type Tally = { responses: number; byStatus: Map<number, number>; broken: number; registered: number };
type Visitor = { url: string; pool: HttpAgent; agents: readonly Agent[]; tally: Tally; ending: AbortSignal };

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    minutes: { type: 'string', default: '5' },
    agents: { type: 'string', default: '10000' },
    engine: { type: 'string', default: 'sqlite' },
    connections: { type: 'string', default: '32' },
  },
});
const seconds = Number(values.minutes) * 60;
const [size, connections] = [Number(values.agents), Number(values.connections)];
const engine = values.engine as EngineName;
if (!(seconds > 0 && size > 0 && connections > 0 && engineNames.includes(engine))) {
  console.error(
    `Usage: node bench/src/soak.ts [--minutes 5] [--agents 10000] [--engine ${engineNames.join('|')}] [--connections 32]`,
  );
  process.exit(2);
}
const report = createReport('soak');
await withCorpus(engine, size, (corpus) => soak(corpus, report));
report.save();

async function soak({ url, agents }: Corpus, report: Report): Promise<void> {
  // Short timeouts, so that slow clients come and go.
  const server = await startServer(url, {}, { headersTimeout: 2_000, requestTimeout: 4_000 });
  const tally: Tally = { responses: 0, byStatus: new Map(), broken: 0, registered: 0 };
  const ending = new AbortController();
  const pool = new HttpAgent({ keepAlive: true, maxSockets: connections });
  const visitor: Visitor = { url: server.url, pool, agents, tally, ending: ending.signal };
  const load = [
    ...Array.from({ length: connections }, (_, index) => readForever(visitor, makeRandom(index + 1))),
    registerForever(visitor),
    ...[sendNonsense, hangUp, sendSlowly, readSlowly].map((act) => repeat(act, visitor)),
  ];
  const samples: Sample[] = [];
  const begin = performance.now();
  for (let at = 0; at < seconds; at = (performance.now() - begin) / 1_000) {
    samples.push({ at, memory: readMemory(server.pid).now, responses: tally.responses });
    await wait(1_000);
  }
  ending.abort();
  await Promise.all(load);
  pool.destroy();
  const { totalAgents } = (await (await fetch(`${server.url}/api/stats`)).json()) as { totalAgents: number };
  const exitCode = await server.stop();

  report.addTable(
    `${engine}, ${count(size)} agents, ${connections} connections for ${seconds} s; resident memory in MB.`,
    ['time', 'responses/s', 'median', 'highest'],
    toRows(samples),
  );
  const statuses = [...tally.byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${count(times)}`);
  report.add(`Responses by status: ${statuses.join(', ')}. Connections that were broken off: ${count(tally.broken)}.`);
  const failures = findFailures(samples, tally);
  const expected = agents.length + tally.registered;
  if (totalAgents !== expected) failures.push(`${totalAgents} agents are stored, ${expected} were acknowledged`);
  if (exitCode !== 0) failures.push(`the server exited with ${exitCode}`);
  report.add(failures.length === 0 ? 'Passed: memory is flat and nothing is lost.' : `Failed: ${failures.join('; ')}.`);
  if (failures.length > 0) process.exitCode = 1;
}

/** Reads all kinds of paths: mostly single agents, pages and searches, sometimes the full list or invalid paths. */
async function readForever(visitor: Visitor, random: () => number): Promise<void> {
  const { agents, ending } = visitor;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const pickWord = () => pick(`${pick(agents).name} ${pick(agents).description}`.split(' '));
  const paths = [
    () => `/api/agents/${pick(agents).id}`,
    () => `/agent/${pick(agents).id}`,
    () => '/',
    () => '/api/stats',
    () => `/api/agents?limit=48&after=${pick(agents).id}`,
    () => `/api/agents/category/${pick(categoryIds)}?limit=20`,
    () => `/api/search?limit=20&q=${encodeURIComponent(pickWord())}`,
    () => `/api/search?limit=20&q=${encodeURIComponent(`${pickWord()} ${pickWord().slice(0, 3)}`)}`,
    () => `/api/search?q=${encodeURIComponent(pick(['%', '"', '\0', '(', 'a OR b', '🤖', 'x'.repeat(250)]))}`,
    () => pick(['/api/agents/%', '/api/agents/none', '/api/agents?limit=0', '/nothing', `/${'x'.repeat(9_000)}`]),
  ];
  while (!ending.aborted) await exchange(visitor, random() < 0.002 ? '/api/agents' : pick(paths)());
}

async function registerForever(visitor: Visitor): Promise<void> {
  for (let index = 0; !visitor.ending.aborted; index += 1) {
    const agent = visitor.agents[index % visitor.agents.length] as Agent;
    const status = await exchange(visitor, '/api/agents', JSON.stringify(toNewAgent(agent)));
    if (status === 201) visitor.tally.registered += 1;
    await exchange(visitor, '/api/agents', `{"name":${'['.repeat(20_000)}`);
    await wait(1_000 / REGISTRATIONS_PER_SECOND);
  }
}

async function repeat(act: (visitor: Visitor) => Promise<void>, visitor: Visitor): Promise<void> {
  while (!visitor.ending.aborted) await act(visitor);
}

async function sendNonsense(visitor: Visitor): Promise<void> {
  await converse(visitor, (socket) => socket.write('\u0016\u0003\u0001 nonsense\r\n\r\n'));
}

/** Requests the full list and disconnects at its first bytes. */
async function hangUp(visitor: Visitor): Promise<void> {
  await converse(visitor, (socket) => {
    socket.write('GET /api/agents HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.once('data', () => socket.destroy());
  });
  await wait(500);
}

/** Sends headers byte by byte until the server closes the connections. */
async function sendSlowly(visitor: Visitor): Promise<void> {
  const clients = Array.from({ length: 20 }, () =>
    converse(visitor, (socket) => {
      socket.write('POST /api/agents HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      const timer = setInterval(() => socket.write('x'), 100);
      socket.once('close', () => clearInterval(timer));
    }),
  );
  await Promise.all(clients);
}

/** Requests the full list and reads it slowly for three seconds. */
async function readSlowly(visitor: Visitor): Promise<void> {
  await converse(visitor, (socket) => {
    socket.write('GET /api/agents HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), 50);
    });
    setTimeout(() => socket.destroy(), 3_000);
  });
}

async function converse({ url, tally }: Visitor, act: (socket: Socket) => void): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.on('data', () => {});
  act(socket);
  await new Promise((resolve) => socket.once('close', resolve));
  tally.broken += 1;
}

/** Sends a request, reads the response to its end and returns its status. */
function exchange({ url, pool, tally }: Visitor, path: string, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' } };
    const sent = request(url + path, { agent: pool, ...options }, (response) => {
      const { statusCode: status = 0 } = response;
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        tally.responses += 1;
        tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1);
        resolve(status);
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function findFailures(samples: readonly Sample[], tally: Tally): string[] {
  const failures: string[] = [];
  // 503 is a valid response of an overloaded server.
  const statuses = [...tally.byStatus.keys()].filter((status) => status >= 500 && status !== 503);
  if (statuses.length > 0) failures.push(`there were responses with ${statuses.join(', ')}`);
  const middle = (seconds * (1 + WARM_UP)) / 2;
  const warm = samples.filter(({ at }) => at >= seconds * WARM_UP);
  const before = median(warm.filter(({ at }) => at < middle).map(({ memory }) => memory));
  const after = median(warm.filter(({ at }) => at >= middle).map(({ memory }) => memory));
  if (after > Math.max(before * GROWTH.ratio, before + GROWTH.bytes)) {
    failures.push(`memory grows from ${megabytes(before)} to ${megabytes(after)} MB`);
  }
  return failures;
}

function toRows(samples: readonly Sample[]): string[][] {
  return Array.from({ length: ROWS }, (_, index) => {
    const [from, to] = [(seconds / ROWS) * index, (seconds / ROWS) * (index + 1)];
    const part = samples.filter(({ at }) => at >= from && at < to);
    const [first, last] = [part.at(0), part.at(-1)];
    if (!first || !last || first === last) return [];
    const memory = part.map((sample) => sample.memory);
    return [
      `${Math.round(from)}–${Math.round(to)} s`,
      count((last.responses - first.responses) / (last.at - first.at)),
      ...[median(memory), Math.max(...memory)].map(megabytes),
    ];
  }).filter((row) => row.length > 0);
}
