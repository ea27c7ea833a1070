import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { createConnectionCheck } from '../../apps/api/src/connection-checks/handshake.ts';
import { startHttpsWebsite } from '../../apps/api/src/testing/https-website.ts';
import { certificate } from '../../apps/api/src/testing/tls-certificate.ts';
import { createGuardedFetch } from '../../apps/api/src/website-check/guarded-fetch.ts';
import { ms, type Report } from './report.ts';

/** The most processor time that a check of a connection may take, in milliseconds. */
const MAX_CHECK_TIME = 1_000;
/** How often a connection is checked; the least time counts, since collections are in others. */
const CHECKS = 3;
/** The bytes of an answer: more than are read. */
const SIZE = 300_000;
/** Tells the thread of the server from those of other attacks. */
const SERVER = 'answers';
const HELLO = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}`;

/** What servers answer to the request for their tools, of which most is read: chunks, sent at once or each by itself. */
const answers: Record<string, { type: string; chunk: string; isSlow?: boolean }> = {
  'empty lines': { type: 'text/event-stream', chunk: '\n' },
  comments: { type: 'text/event-stream', chunk: ':\n' },
  'carriage returns': { type: 'text/event-stream', chunk: '\r' },
  'one line of data': { type: 'text/event-stream', chunk: 'd' },
  'single bytes': { type: 'application/json', chunk: '[' },
  'packets with a line each': { type: 'text/event-stream', chunk: ':23456789012345\n', isSlow: true },
  'packets of one line': { type: 'text/event-stream', chunk: 'd234567890123456', isSlow: true },
};

if (workerData === SERVER) await serve();

/** Serves the answers in a thread of its own, whose processor time does not count. */
async function serve(): Promise<void> {
  const { server } = await startHttpsWebsite((request, response) => {
    const answer = answers[decodeURIComponent(request.url?.slice(1) ?? '')];
    if (!answer) response.writeHead(404).end();
    else request.setEncoding('utf8').once('data', (body: string) => void respond(response, answer, body));
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  parentPort?.postMessage((server.address() as AddressInfo).port);
}

async function respond(response: ServerResponse, answer: (typeof answers)[string], body: string): Promise<void> {
  const { type, chunk, isSlow = false } = answer;
  if (body.includes('"initialize"')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(HELLO);
    return;
  }
  response.writeHead(200, { 'content-type': type }).flushHeaders();
  const slowSize = isSlow ? SIZE : 0;
  for (let sent = 0; sent < slowSize && !response.destroyed; sent += chunk.length) {
    response.write(chunk);
    await setImmediate();
  }
  const frame = `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  if (isSlow) response.end();
  else response.socket?.end(`${frame.repeat(SIZE / chunk.length)}0\r\n\r\n`);
}

/** Measures what hostile answers of connections take of the processor; returns what is beyond the aim. */
export async function measureAnswers(report: Report): Promise<string[]> {
  const worker = new Worker(new URL(import.meta.url), { workerData: SERVER });
  const [port] = (await once(worker, 'message')) as [number];
  const fetch = createGuardedFetch({
    lookup: (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    allowedAddresses: ['127.0.0.1'],
    ca: certificate,
    port,
  });
  const readRobots = async () => ({ isAllowed: true, status: 404 });
  const check = createConnectionCheck(fetch, { userAgent: 'bench', readRobots, timeout: 60_000 });
  const rows: { name: string; time: number }[] = [];
  for (const name of Object.keys(answers)) {
    const url = `https://website.example/${encodeURIComponent(name)}`;
    const times: number[] = [];
    for (let count = 0; count < CHECKS; count += 1) {
      const before = process.threadCpuUsage();
      await check({ kind: 'mcp', transport: 'streamable-http', url });
      const { user, system } = process.threadCpuUsage(before);
      times.push((user + system) / 1_000);
    }
    rows.push({ name, time: Math.min(...times) });
  }
  await worker.terminate();
  report.addTable(
    'Hostile answers of connections: processor time of a check in ms.',
    ['answer', 'check'],
    rows.map(({ name, time }) => [name, ms(time)]),
  );
  return rows
    .filter(({ time }) => time > MAX_CHECK_TIME)
    .map(({ name, time }) => `a connection that answers with ${name} took ${ms(time)} ms`);
}
