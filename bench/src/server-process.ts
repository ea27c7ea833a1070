import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A server that runs as a process of its own. */
export type ServerProcess = {
  /** The address without a slash at the end. */
  url: string;
  /** How long its event loop was held up since the last call, in milliseconds; the first call begins the count. */
  readLoopDelay(): Promise<LoopDelay>;
  /** Its memory now and at its highest, in bytes; undefined where the system does not tell. */
  readMemory(): { now: number; peak: number } | undefined;
  /** Ends it, in good order. */
  stop(): Promise<void>;
};

/** Delays of an event loop, in milliseconds. */
export type LoopDelay = { p50: number; p99: number; max: number };

const API_SERVER = join(import.meta.dirname, '../../apps/api/src/server.ts');
const BARE_SERVER = join(import.meta.dirname, 'bare-server.ts');
const OBSERVER = join(import.meta.dirname, 'loop-observer.ts');

/** Starts the real server on a database. */
export function startServer(databaseUrl: string): Promise<ServerProcess> {
  return start(API_SERVER, {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    REGISTER_LIMIT: '0',
    SAMPLE_DATA: 'off',
    WEB_DIR: '/nowhere',
  });
}

/** Starts a server that sends bytes and does nothing else: the least that an answer over HTTP takes. */
export function startBareServer(): Promise<ServerProcess> {
  return start(BARE_SERVER, {});
}

async function start(script: string, env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--import', OBSERVER, script], {
    env: { ...env, NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS ?? '' },
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
      readMemory: () => readMemory(child.pid),
      async stop() {
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        await exit;
      },
    };
  }
  throw new Error(`${script} did not start`);
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
