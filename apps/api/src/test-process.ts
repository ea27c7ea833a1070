import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** The server as a process of its own, listening. */
export type ServerProcess = {
  /** The address without a slash at the end. */
  url: string;
  /** Ends the process with a signal, and gives its exit code; null when the signal killed it. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
};

/** Starts the server with this environment only, and waits until its log tells where it listens. */
export async function startServerProcess(cwd: string, env: Record<string, string>): Promise<ServerProcess> {
  const child = spawnServer(cwd, env);
  const errors = text(child.stderr);
  for await (const line of createInterface(child.stdout)) {
    const url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
    if (!url) continue;
    child.stdout.resume();
    return { url, stop: (signal) => stop(child, signal) };
  }
  throw new Error(`The server did not start: ${await errors}`);
}

/** Runs a server that is expected to end by itself. */
export async function runServerProcess(cwd: string, env: Record<string, string>) {
  const child = spawnServer(cwd, env);
  const [exit, stderr] = await Promise.all([once(child, 'exit'), text(child.stderr), text(child.stdout)]);
  return { code: exit[0] as number | null, stderr };
}

function spawnServer(cwd: string, env: Record<string, string>): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [join(import.meta.dirname, 'server.ts')], { cwd, env });
}

async function stop(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  return child.exitCode;
}
