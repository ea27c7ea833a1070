import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SERVER = join(import.meta.dirname, '../apps/api/src/server.ts');

/** The built product, running as a process of its own over a database file of its own. */
export type Registry = {
  /** Where it listens, without a slash at the end. */
  url: string;
  /** Ends the process with a signal and starts another on the same port and file. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Ends the process and removes the file. */
  stop(): Promise<void>;
};

/** Starts the product; `sampleData` says whether its new database gets the sample agents. */
export async function startRegistry(sampleData: 'on' | 'off' = 'on'): Promise<Registry> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-e2e-'));
  const databaseUrl = `file:${join(folder, 'registry.db')}`;
  let { server, port } = await startServer({ DATABASE_URL: databaseUrl, SAMPLE_DATA: sampleData, PORT: '0' });

  return {
    url: `http://127.0.0.1:${port}`,
    async restart(signal) {
      await end(server, signal);
      ({ server, port } = await startServer({ DATABASE_URL: databaseUrl, PORT: port }));
    },
    async stop() {
      await end(server, 'SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startServer(environment: Record<string, string>): Promise<{ server: ChildProcess; port: string }> {
  const server = spawn(process.execPath, [SERVER], {
    env: { ...process.env, HOST: '127.0.0.1', LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const port = /listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (!port) continue;
    server.stdout.resume();
    return { server, port };
  }
  throw new Error('The server ended before it listened.');
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill(signal);
  await once(server, 'exit');
}
