import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { ServerOptions } from '../../apps/api/src/server-options.ts';
import { builtServer, startServerProcess, type StartOptions } from '../../apps/api/src/testing/processes.ts';

/** A server in a separate process. */
export type Server = {
  /** Without a slash at the end. */
  url: string;
  pid: number;
  /** Stops the process; returns its exit code. */
  stop(): Promise<number | null>;
};

/** The settings of the measured server besides the defaults: nothing is refused. */
const settings = {
  READ_LIMIT: '0',
  REGISTER_LIMIT: '0',
  REGISTER_LIMIT_GLOBAL: '0',
  SAMPLE_DATA: 'off',
};

/** Clock ticks per second, the unit of processor time on Linux. */
const TICKS_PER_SECOND = 100;

/** Starts the built server on a database, with more settings, and in place of constants. */
export async function startServer(
  databaseUrl: string,
  more: Record<string, string> = {},
  options: Partial<ServerOptions> = {},
  how: Pick<StartOptions, 'server' | 'flags'> = {},
): Promise<Server> {
  const env = { ...settings, LOG_LEVEL: 'info', SHUTDOWN_DELAY: '0', PORT: '0', DATABASE_URL: databaseUrl, ...more };
  const server = await startServerProcess(tmpdir(), env, { server: builtServer, options, ...how });
  return { url: server.url, pid: server.pid, stop: () => server.stop('SIGTERM') };
}

/** The processor time that a process has used, in seconds; NaN where there is no /proc. */
export function readProcessorTime(pid: number): number {
  try {
    // The name, in brackets, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** The resident memory of a process now and at its highest, in bytes; NaN where there is no /proc. */
export function readMemory(pid: number): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  } catch {
    return { now: Number.NaN, peak: Number.NaN };
  }
}
