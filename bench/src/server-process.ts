import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { builtServer } from '../../apps/api/src/testing/processes.ts';
import { createHttpClient } from './http-client.ts';
import { pin, type Side } from './processors.ts';

/** A server that runs as a process of its own. */
export type ServerProcess = {
  /** The address without a slash at the end. */
  url: string;
  /** How long its event loop was held up since the last call, in milliseconds; the first call begins the count. */
  readLoopDelay(): Promise<LoopDelay>;
  /** Its memory now and at its highest, in bytes; undefined where the system does not tell. */
  readMemory(): { now: number; peak: number } | undefined;
  /** How long processors have worked for it so far, in seconds; NaN where the system does not tell. */
  readProcessorTime(): number;
  /** Ends it, in good order. */
  stop(): Promise<void>;
};

/** The real server, set up as in production. */
export type Service = Omit<ServerProcess, 'readLoopDelay'> & {
  /** From the start of the process to the end of its first answer, in milliseconds. */
  firstAnswer: number;
};

/** Delays of an event loop, in milliseconds. */
export type LoopDelay = { p50: number; p99: number; max: number };

/** In which Linux counts the time of processors. */
const TICKS_PER_SECOND = 100;
const BARE_SERVER = join(import.meta.dirname, 'bare-server.ts');
const OBSERVER = join(import.meta.dirname, 'loop-observer.ts');

const noRateLimits = { REGISTER_LIMIT: '0', REGISTER_LIMIT_GLOBAL: '0', READ_LIMIT: '0' };

/** Starts the real server on a database; observed, it goes without the options of Node that save memory. */
export function startServer(databaseUrl: string): Promise<ServerProcess> {
  return start(builtServer, {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    ...noRateLimits,
    SAMPLE_DATA: 'off',
    // What is measured is how answers are made, not how they are sent again.
    CACHE_SIZE: '0',
    WEB_DIR: '/nowhere',
  });
}

/** What the server is told beside its database and port when it runs as in production. */
export const serviceSettings = { LOG_LEVEL: 'warn', ...noRateLimits };

/** Starts the real server as in production, and reads a path until there is an answer. */
export async function startService(
  databaseUrl: string,
  { path, workers = 1, side }: { path: string; workers?: number; side: Side },
): Promise<Service> {
  const port = await findPort();
  const begin = performance.now();
  const [command, ...args] = pin(side, [process.execPath, builtServer]);
  const child = spawn(command, args, {
    // Where no file of settings is.
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...serviceSettings, ...nodeOptions, ...toSettings(databaseUrl, port, workers) },
    stdio: 'inherit',
  });
  const url = `http://127.0.0.1:${port}`;
  const client = createHttpClient(url);
  for (let isAnswered = false; !isAnswered;) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`);
    isAnswered = await client.get(path).then(
      () => true,
      () => wait(2, false),
    );
  }
  const firstAnswer = performance.now() - begin;
  client.close();
  return { url, firstAnswer, ...observe(child) };
}

const nodeOptions = { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS ?? '' };

function toSettings(databaseUrl: string, port: number, workers: number): Record<string, string> {
  return { DATABASE_URL: databaseUrl, PORT: String(port), ...(workers > 1 ? { WORKERS: String(workers) } : {}) };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a server that sends bytes and does nothing else: the least that an answer over HTTP takes. */
export function startBareServer(): Promise<ServerProcess> {
  return start(BARE_SERVER, {});
}

/** The same, beside the servers that are measured, and with rows from a database of so many agents. */
export function startBareService(databaseUrl: string, agents: number): Promise<ServerProcess> {
  return start(BARE_SERVER, { DATABASE_URL: databaseUrl, AGENTS: String(agents) }, 'server');
}

async function start(script: string, env: Record<string, string>, side: Side = 'all'): Promise<ServerProcess> {
  const [command, ...args] = pin(side, [process.execPath, '--import', OBSERVER, script]);
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, ...env, ...nodeOptions },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  for await (const line of createInterface(child.stdout as NonNullable<ChildProcess['stdout']>)) {
    const url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
    if (!url) continue;
    child.stdout?.resume();
    return {
      url,
      async readLoopDelay() {
        child.send('read');
        const [delay] = (await once(child, 'message')) as [LoopDelay];
        return delay;
      },
      ...observe(child),
    };
  }
  throw new Error(`${script} did not start`);
}

function observe(child: ChildProcess): Pick<ServerProcess, 'readMemory' | 'readProcessorTime' | 'stop'> {
  return {
    readMemory: () => readMemory(child.pid),
    readProcessorTime: () => readProcessorTime(child.pid),
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** How long processors have worked for a process so far, in seconds; NaN where the system does not tell. */
export function readProcessorTime(pid: number | undefined): number {
  try {
    // The name, in brackets, may hold blanks; times of the program and of the system for it are the 14th and 15th field.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

function readMemory(pid: number | undefined): { now: number; peak: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  } catch {
    return undefined;
  }
}
