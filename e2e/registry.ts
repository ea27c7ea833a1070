import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillTestDatabase } from '@agent-registry/api/testing/fill-database';
import { builtServer, startServerProcess } from '@agent-registry/api/testing/processes';
import type { Agent } from '@agent-registry/client';

/** The built product, running as a process of its own over a database file of its own. */
export type Registry = {
  /** Where it listens, without a slash at the end. */
  url: string;
  /** Ends the process with a signal and starts another on the same port and file. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Ends the process and removes the file. */
  stop(): Promise<void>;
};

/** Starts the product over a new database that holds the sample agents, none, or those that are given. */
export async function startRegistry(
  agents: 'sample' | Iterable<Agent> = 'sample',
  settings: Record<string, string> = {},
): Promise<Registry> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-e2e-'));
  const environment = { DATABASE_URL: `file:${join(folder, 'registry.db')}`, SHUTDOWN_DELAY: '0', ...settings };
  if (agents !== 'sample') await fillTestDatabase(environment.DATABASE_URL, agents);
  let server = await startServerProcess(folder, { ...environment, PORT: '0' }, [], builtServer);
  const { url } = server;

  return {
    url,
    async restart(signal) {
      await server.stop(signal);
      server = await startServerProcess(folder, { ...environment, PORT: new URL(url).port }, [], builtServer);
    },
    async stop() {
      await server.stop('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
