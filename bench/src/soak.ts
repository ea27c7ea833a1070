// `pnpm soak` ends with this: the real server under full load for minutes, to see that its memory stays flat.
import { Agent as HttpAgent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { categoryIds, type Agent } from '@agent-registry/contracts';
import { makeRandom } from '../../apps/api/src/testing/corpora.ts';
import { builtServer, startServerProcess, type ServerProcess } from '../../apps/api/src/testing/processes.ts';
import { engineNames, forEachCorpusDatabase, type CorpusDatabase, type EngineName } from './corpus-database.ts';
import { count, describeMachine, megabytes, printTable } from './report.ts';
import { readProcessorTime } from './server-process.ts';
import { median } from './timing.ts';

/** Memory may grow by a tenth or by 16 MB, whichever is more, from one half of the time to the other. */
const GROWTH = { ratio: 1.1, bytes: 16e6 };
/** The part of the time at the beginning in which memory may grow: code is compiled, pools and caches fill. */
const WARM_UP = 0.25;
const ROWS = 10;
/** Registrations a second, few beside the agents that are there: what is stored takes memory of its own. */
const REGISTRATIONS = 5;

/** What was seen of the server at one moment. */
type Sample = {
  /** In seconds from the beginning. */
  at: number;
  /** In bytes. */
  rss: number;
  /** In bytes. */
  heap: number;
  /** Processor time so far, in seconds. */
  cpu: number;
  answers: number;
};

/** What has come back so far. */
type Tally = { answers: number; byStatus: Map<number, number>; brokenOff: number; registered: number };

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    minutes: { type: 'string', default: '5' },
    agents: { type: 'string', default: '10000' },
    engines: { type: 'string', default: 'sqlite' },
    connections: { type: 'string', default: '32' },
  },
});
const seconds = Number(values.minutes) * 60;
const engines = values.engines.split(',') as EngineName[];
if (!(seconds > 0) || !engines.every((engine) => engineNames.includes(engine))) {
  throw new Error(`soak [--minutes 5] [--agents 10000] [--engines ${engineNames.join(',')}] [--connections 32]`);
}

console.log(describeMachine());
await forEachCorpusDatabase({ sizes: [Number(values.agents)], engines }, soak);

async function soak({ engine, url, agents }: CorpusDatabase): Promise<void> {
  const settings = {
    DATABASE_URL: url,
    PORT: '0',
    METRICS_PORT: '0',
    SAMPLE_DATA: 'off',
    HEADERS_TIMEOUT: '2000',
    REQUEST_TIMEOUT: '4000',
    SHUTDOWN_DELAY: '0',
  };
  const server = await startServerProcess(tmpdir(), settings, [], builtServer);
  const tally: Tally = { answers: 0, byStatus: new Map(), brokenOff: 0, registered: 0 };
  const samples = await loadAndSample(server, agents, tally);
  const { totalAgents } = (await (await fetch(`${server.url}/api/stats`)).json()) as { totalAgents: number };
  const exitCode = await server.stop('SIGTERM');

  printSamples(`${engine}, ${count(agents.length)} agents, ${values.connections} connections`, samples);
  const statuses = [...tally.byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${count(times)}`);
  console.log(`\nAnswers by status: ${statuses.join(', ')}; broken off by the client: ${count(tally.brokenOff)}.`);

  const failures = [...findGrowth(samples)];
  // Where there is too much to do, 503 is the right answer.
  const troubles = [...tally.byStatus].filter(([status]) => status >= 500 && status !== 503);
  if (troubles.length > 0) failures.push(`${troubles.map(([status]) => status).join(', ')} was answered`);
  const expected = agents.length + tally.registered;
  if (totalAgents !== expected) failures.push(`${totalAgents} agents are stored, ${expected} were acknowledged`);
  if (exitCode !== 0) failures.push(`the server ended with ${exitCode}`);
  console.log(failures.length === 0 ? 'Memory is flat.' : `Failed: ${failures.join('; ')}.`);
  if (failures.length > 0) process.exitCode = 1;
}

async function loadAndSample(server: ServerProcess, agents: readonly Agent[], tally: Tally): Promise<Sample[]> {
  const ending = new AbortController();
  const pool = new HttpAgent({ keepAlive: true, maxSockets: Number(values.connections) });
  const load = [
    ...Array.from({ length: Number(values.connections) }, (_, index) =>
      readOn(server.url, { pool, agents, tally, random: makeRandom(index + 1), ending: ending.signal }),
    ),
    registerOn(server.url, { pool, agents, tally, ending: ending.signal }),
    ...[sendNonsense, breakOff, sendSlowly, readSlowly].map((act) =>
      actOn(() => act(server.url, tally), ending.signal),
    ),
  ];
  const samples: Sample[] = [];
  const begin = performance.now();
  for (let at = 0; at < seconds; at = (performance.now() - begin) / 1_000) {
    samples.push({ at, answers: tally.answers, ...(await readProcess(server)) });
    await wait(1_000);
  }
  ending.abort();
  await Promise.all(load);
  pool.destroy();
  return samples;
}

type Load = { pool: HttpAgent; agents: readonly Agent[]; tally: Tally; ending: AbortSignal };

/** Reads without pause all that can be read: mostly what is cheap, at times the whole list, at times what is wrong. */
async function readOn(url: string, { pool, agents, tally, random, ending }: Load & { random: () => number }) {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const words = (agent: Agent) => `${agent.name} ${agent.description}`.split(' ');
  const kinds: (() => string)[] = [
    () => `/api/agents/${pick(agents).id}`,
    () => `/agent/${pick(agents).id}`,
    () => '/',
    () => '/api/stats',
    () => `/api/agents?limit=48&after=${pick(agents).id}`,
    () => `/api/agents/category/${pick(categoryIds)}?limit=20`,
    () => `/api/search?limit=20&q=${encodeURIComponent(pick(words(pick(agents))))}`,
    () =>
      `/api/search?limit=20&q=${encodeURIComponent(`${pick(words(pick(agents)))} ${pick(words(pick(agents))).slice(0, 3)}`)}`,
    () => `/api/search?q=${encodeURIComponent(pick(['%', '"', '\0', '(', 'a OR b', '🤖', 'x'.repeat(250)]))}`,
    () => pick(['/api/agents/%', '/api/agents/none', '/api/agents?limit=0', '/nothing', `/${'x'.repeat(9_000)}`]),
  ];
  while (!ending.aborted) {
    const path = random() < 0.002 ? pick(['/api/agents', '/api/agents/category/vision']) : pick(kinds)();
    await exchange(url + path, { pool, tally, accept: pick(['*/*', 'application/json']) });
  }
}

async function registerOn(url: string, { pool, agents, tally, ending }: Load) {
  for (let index = 0; !ending.aborted; index += 1) {
    const { name, description, category, contactEmail } = agents[index % agents.length] as Agent;
    const status = await exchange(`${url}/api/agents`, {
      pool,
      tally,
      body: JSON.stringify({ name, description, category, contactEmail }),
    });
    if (status === 201) tally.registered += 1;
    await exchange(`${url}/api/agents`, { pool, tally, body: `{"name":${'['.repeat(20_000)}` });
    await wait(1_000 / REGISTRATIONS);
  }
}

async function actOn(act: () => Promise<void>, ending: AbortSignal): Promise<void> {
  while (!ending.aborted) await act();
}

/** Sends what is not HTTP. */
async function sendNonsense(url: string, tally: Tally): Promise<void> {
  await converse(url, tally, (socket) => socket.write('\u0016\u0003\u0001 nonsense\r\n\r\n'));
}

/** Asks for everything, and goes at the first bytes of it. */
async function breakOff(url: string, tally: Tally): Promise<void> {
  await converse(url, tally, (socket) => {
    socket.write('GET /api/agents HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.once('data', () => socket.destroy());
  });
  await wait(500);
}

/** Sends a header without end, until the server has enough of it. */
async function sendSlowly(url: string, tally: Tally): Promise<void> {
  const clients = Array.from({ length: 20 }, () =>
    converse(url, tally, (socket) => {
      socket.write('POST /api/agents HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      const trickle = setInterval(() => socket.write('x'), 100);
      socket.once('close', () => clearInterval(trickle));
    }),
  );
  await Promise.all(clients);
}

/** Asks for everything and takes it in small bites for three seconds. */
async function readSlowly(url: string, tally: Tally): Promise<void> {
  await converse(url, tally, (socket) => {
    socket.write('GET /api/agents HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.on('data', () => {
      socket.pause();
      setTimeout(() => socket.resume(), 50);
    });
    setTimeout(() => socket.destroy(), 3_000);
  });
}

async function converse(url: string, tally: Tally, speak: (socket: ReturnType<typeof connect>) => void): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.on('data', () => {});
  speak(socket);
  await new Promise((resolve) => socket.once('close', resolve));
  tally.brokenOff += 1;
}

function exchange(
  url: string,
  { pool, tally, accept = '*/*', body }: { pool: HttpAgent; tally: Tally; accept?: string; body?: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { accept, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const sent = request(url, { agent: pool, method, headers }, (answer) => {
      const { statusCode: status = 0 } = answer;
      answer.resume();
      answer.on('error', reject);
      answer.on('end', () => {
        tally.answers += 1;
        tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1);
        resolve(status);
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Reads what the system and the metrics tell of the server. */
async function readProcess({ pid, log }: ServerProcess): Promise<Pick<Sample, 'rss' | 'heap' | 'cpu'>> {
  const port = /"port":(\d+)/.exec(log.find((line) => line.includes('Metrics are served')) ?? '')?.[1];
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
  return {
    rss: read('process_resident_memory_bytes'),
    heap: read('nodejs_heap_size_used_bytes'),
    cpu: readProcessorTime(pid),
  };
}

/** What of the memory has grown from the first half of the time after the warm-up to the second. */
function* findGrowth(samples: readonly Sample[]): Generator<string> {
  const warm = samples.filter(({ at }) => at >= seconds * WARM_UP);
  const middle = (seconds * (1 + WARM_UP)) / 2;
  const halves = [warm.filter(({ at }) => at < middle), warm.filter(({ at }) => at >= middle)];
  const figures = {
    'median of the RSS': halves.map((half) => median(half.map(({ rss }) => rss))),
    // What collecting the garbage leaves.
    'minimum of the heap': halves.map((half) => Math.min(...half.map(({ heap }) => heap))),
  };
  for (const [name, [before = 0, after = 0]] of Object.entries(figures)) {
    console.log(`The ${name} in each half after the warm-up: ${megabytes(before)} MB, ${megabytes(after)} MB.`);
    if (!(after <= Math.max(before * GROWTH.ratio, before + GROWTH.bytes))) yield `the ${name} grows`;
  }
}

function printSamples(title: string, samples: readonly Sample[]): void {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const from = (seconds / ROWS) * index;
    const part = samples.filter(({ at }) => at >= from && at < from + seconds / ROWS);
    const [first, last] = [part.at(0), part.at(-1)];
    if (!first || !last || first === last) return [];
    const time = last.at - first.at;
    const rss = part.map((sample) => sample.rss);
    const heap = part.map((sample) => sample.heap);
    return [
      `${Math.round(from)}–${Math.round(from + seconds / ROWS)} s`,
      count((last.answers - first.answers) / time),
      `${Math.round(((last.cpu - first.cpu) / time) * 100)} %`,
      ...[median(rss), Math.max(...rss), Math.min(...heap), median(heap)].map(megabytes),
    ];
  });
  printTable(
    title,
    ['time', 'answers/s', 'processor', 'RSS median, MB', 'RSS max, MB', 'heap min, MB', 'heap median, MB'],
    rows.filter((row) => row.length > 0),
  );
}
