import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const last = availableParallelism() - 1;

/** Whether servers and clients are kept apart, each on a processor of its own. */
export const isPinned = last > 0 && spawnSync('taskset', ['--version']).status === 0;

/** Where something runs: what is measured, what measures it, or on all processors. */
export type Side = 'server' | 'client' | 'all';

/** A command that runs on the processors of its side, and not on those of this process; as it is where nothing is pinned. */
export function pin(side: Side, command: readonly string[]): [string, ...string[]] {
  const [name = '', ...args] = command;
  if (!isPinned) return [name, ...args];
  const processors = { server: '0', client: String(last), all: `0-${last}` };
  return ['taskset', '--cpu-list', processors[side], name, ...args];
}

/** Keeps this process on the processor of the clients. */
export function pinThisProcess(): void {
  if (isPinned) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(last), String(process.pid)]);
}
