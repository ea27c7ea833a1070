import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ServerOptions } from '../server-options.ts';

/** The server as a process of its own, listening. */
export type ServerProcess = {
  /** The address that it printed: without a slash at the end, but for the console. */
  url: string;
  pid: number;
  /** The log lines so far. */
  log: readonly string[];
  /** Ends the process with a signal, and gives its exit code; null when the signal killed it. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
};

/** The built module of the function that starts the server. */
export const builtServer = join(import.meta.dirname, '../../dist/start.js');
/** The built command line. */
export const builtCommands = join(import.meta.dirname, '../../dist/registry.js');

const START_PROCESS = fileURLToPath(new URL('./start-process.ts', import.meta.url));

/** The flags of Node with which a registry is started, as in `package.json`. */
const FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=30'];

// The whole test command builds first, and the build starts in half the time.
const usesBuild = process.env.TEST_BUILD === 'on';
const SERVER = usesBuild ? builtServer : join(import.meta.dirname, '../start.ts');
const COMMANDS = usesBuild ? builtCommands : join(import.meta.dirname, '../cli/registry.ts');

/** Environment in which the many processes and threads of the tests do not compile the same code again. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'agent-registry-compile-cache') };

/** How a server is started. */
export type StartOptions = {
  /** A command that runs the command of the server, which comes after it. */
  wrapper?: readonly string[] | undefined;
  /** In place of the constants of the server; without load shedding by default, since the machine may be busy. */
  options?: Partial<ServerOptions>;
  /** The module of the function that starts it. */
  server?: string;
  /** What Node runs in place of that, with its arguments. */
  entry?: readonly string[];
  /** The flags of Node; by default those of a registry. */
  flags?: readonly string[];
};

/** Starts the server with this environment only, and waits until its log contains the address. */
export async function startServerProcess(
  cwd: string,
  env: Record<string, string>,
  how?: StartOptions,
): Promise<ServerProcess> {
  return waitForAddress(spawnServer(cwd, env, how), /http:\/\/[\d.]+:\d+/);
}

/**
 * Starts the operator's console with this environment only, and waits for its address, which has the token.
 * @param entry the file that Node runs
 */
export async function startConsoleProcess(
  cwd: string,
  env: Record<string, string>,
  args: readonly string[] = [],
  entry = COMMANDS,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [entry, 'console', ...args], { cwd, env: { ...compileCache, ...env } });
  return waitForAddress(child, /http:\/\/[\d.]+:\d+\/\?token=[\w-]+/);
}

async function waitForAddress(child: ChildProcessWithoutNullStreams, address: RegExp): Promise<ServerProcess> {
  const errors = text(child.stderr);
  const log: string[] = [];
  const lines = createInterface(child.stdout);
  const url = await new Promise<string | undefined>((resolve) => {
    lines.on('line', (line) => {
      log.push(line);
      const listening = address.exec(line);
      if (listening) resolve(listening[0]);
    });
    lines.once('close', () => resolve(undefined));
  });
  if (!url || child.pid === undefined) throw new Error(`The process did not start: ${await errors}`);
  return { url, pid: child.pid, log, stop: (signal) => stop(child, signal) };
}

/** Runs a server that is expected to end by itself. */
export async function runServerProcess(cwd: string, env: Record<string, string>, how?: StartOptions) {
  const child = spawnServer(cwd, env, how);
  const [exit, stderr] = await Promise.all([once(child, 'exit'), text(child.stderr), text(child.stdout)]);
  return { code: exit[0] as number | null, stderr };
}

/**
 * Runs a command of the operator's command line to its end, with this environment only.
 * @param entry the file that Node runs
 */
export async function runCommand(
  cwd: string,
  env: Record<string, string>,
  args: readonly string[],
  wrapper: readonly string[] = [],
  entry = COMMANDS,
) {
  const [command = '', ...rest] = [...wrapper, process.execPath, entry, ...args];
  const child = spawn(command, rest, { cwd, env: { ...compileCache, ...env } });
  const [exit, stdout, stderr] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  return { code: exit[0] as number | null, stdout, stderr };
}

function spawnServer(
  cwd: string,
  env: Record<string, string>,
  { wrapper = [], options, server = SERVER, entry, flags = FLAGS }: StartOptions = {},
) {
  const starting = [START_PROCESS, server, JSON.stringify({ maxEventLoopDelay: 0, ...options })];
  const [command = '', ...args] = [...wrapper, process.execPath, ...flags, ...(entry ?? starting)];
  // Tests may send any number of requests.
  const limits = { REGISTER_LIMIT: '0', REGISTER_LIMIT_GLOBAL: '0', READ_LIMIT: '0' };
  return spawn(command, args, { cwd, env: { ...limits, ...compileCache, ...env } });
}

async function stop(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  return child.exitCode;
}
