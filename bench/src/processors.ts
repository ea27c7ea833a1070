import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const last = availableParallelism() - 1;

/** Whether servers and clients are kept apart, each on a processor of its own. */
export const isPinned = last > 0 && spawnSync('taskset', ['--version']).status === 0;

/** What is measured, and what measures it. */
export type Side = 'server' | 'client';

/** A command that runs on the processor of its side; as it is where there is no side or nothing is pinned. */
export function pin(side: Side | undefined, command: readonly string[]): [string, ...string[]] {
  const [name = '', ...args] = command;
  if (!isPinned || !side) return [name, ...args];
  return ['taskset', '--cpu-list', String(side === 'server' ? 0 : last), name, ...args];
}

/** Keeps this process on the processor of the clients. */
export function pinThisProcess(): void {
  if (isPinned) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(last), String(process.pid)]);
}
