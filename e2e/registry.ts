import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillTestDatabase, type FactRecord } from '@agent-registry/api/testing/fill-database';
import {
  builtCommands,
  builtServer,
  runCommand,
  startConsoleProcess,
  startServerProcess,
  type ServerProcess,
} from '@agent-registry/api/testing/processes';
import type { Agent } from '@agent-registry/client';

/** The built product in its own process, with its own database file. */
export type Registry = {
  /** Its base URL, without a trailing slash. */
  url: string;
  /** Sends the process a signal and starts another on the same port and database. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Runs an operator's command on the database, which must succeed. */
  command(...args: string[]): Promise<void>;
  /** Opens the operator's console on the database, as Ana; its address has the token. */
  openConsole(): Promise<ServerProcess>;
  /** The address of a console that the tests share, which runs until `stop`. */
  getConsole(): Promise<string>;
  /** Stops the processes and removes the database. */
  stop(): Promise<void>;
};

/** Starts the product with a new database of the sample agents or the given ones, of which some facts are known. */
export async function startRegistry(
  agents: 'sample' | Iterable<Agent> = 'sample',
  settings: Record<string, string> = {},
  facts: readonly FactRecord[] = [],
): Promise<Registry> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-e2e-'));
  const environment = { DATABASE_URL: `file:${join(folder, 'registry.db')}`, SHUTDOWN_DELAY: '0', ...settings };
  if (agents !== 'sample') await fillTestDatabase(environment.DATABASE_URL, agents, facts);
  let server = await startServerProcess(folder, { ...environment, PORT: '0' }, { server: builtServer });
  const { url } = server;
  const openConsole = () => startConsoleProcess(folder, environment, ['--by', 'Ana'], builtCommands);
  let shared: ServerProcess | undefined;

  return {
    url,
    async restart(signal) {
      await server.stop(signal);
      server = await startServerProcess(folder, { ...environment, PORT: new URL(url).port }, { server: builtServer });
    },
    async command(...args) {
      const { code, stderr } = await runCommand(folder, environment, args, [], builtCommands);
      if (code !== 0) throw new Error(stderr);
    },
    openConsole,
    getConsole: async () => (shared ??= await openConsole()).url,
    async stop() {
      const exitCode = await shared?.stop('SIGTERM');
      if (exitCode) throw new Error(`The console exited with ${exitCode}.`);
      await server.stop('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
