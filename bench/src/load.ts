import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pin, type Side } from './processors.ts';

/** Connections over which requests are sent at once, where nothing else is said. */
export const CONNECTIONS = 10;

/** Requests that are sent over several connections, each as soon as its last one is answered. */
export type Load = {
  url: string;
  /** What each request asks for. */
  path: string;
  /** Requests that differ: the paths, or what is posted to `path`, as lines of a file. */
  lines?: { file: string; offset: number; are: 'paths' | 'bodies' };
  headers?: Readonly<Record<string, string>>;
  connections: number;
  seconds: number;
  /** At most so many requests a second; as many as are answered when left out. */
  rate?: number | undefined;
  /** Where the client runs. */
  side: Side;
};

/** What came of a load. */
export type LoadResult = {
  requests: number;
  perSecond: number;
  /** Of an answer with its headers, on average. */
  bytes: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
  max: number;
  /** How many answers had a status of 400 or more. */
  refused: number;
  /** How many requests were not answered. */
  broken: number;
};

/** What a client prints at its end; latencies in microseconds. */
export type LoadReport = {
  requests: number;
  microseconds: number;
  bytes: number;
  p50: number;
  p99: number;
  max: number;
  refused: number;
  broken: number;
};

const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

/** The program that sends the requests, and what is to be known of it. */
export const loadTool = hasWrk
  ? 'wrk'
  : 'autocannon (which itself tops out near 2,500 lists a second: ratios of fast rows are not those of the servers)';

/** Sends requests for a while from a process of its own. */
export async function sendLoad(load: Load): Promise<LoadResult> {
  const [command, ...args] = pin(load.side, hasWrk ? wrk(load) : autocannon(load));
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const line = output.split('\n').find((entry) => entry.startsWith('{'));
  if (!line) throw new Error(`${command} ${args.join(' ')}: ${output}`);
  const { requests, microseconds, bytes, p50, p99, max, refused, broken } = JSON.parse(line) as LoadReport;
  return {
    requests,
    perSecond: (requests / microseconds) * 1e6,
    bytes: bytes / requests,
    p50: p50 / 1_000,
    p99: p99 / 1_000,
    max: max / 1_000,
    refused,
    broken,
  };
}

function wrk({ url, path, lines, headers = {}, connections, seconds, rate }: Load): string[] {
  const pause = rate === undefined ? 0 : Math.round((connections / rate) * 1_000);
  const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  const options = `--threads 1 --connections ${connections} --duration ${seconds}s --timeout 30s --script`.split(' ');
  const ofScript = [lines?.file ?? '', String(lines?.offset ?? 0), lines?.are === 'bodies' ? path : '', String(pause)];
  return ['wrk', ...given, ...options, join(import.meta.dirname, 'load.lua'), url + path, '--', ...ofScript];
}

function autocannon(load: Load): string[] {
  return [process.execPath, join(import.meta.dirname, 'autocannon-load.ts'), JSON.stringify(load)];
}
