import type { Worker } from 'node:worker_threads';

/** Reads the processor time of a thread, since an earlier reading if given; none before Node 24.6 and from an ended thread. */
export async function readProcessorTime(thread: Worker, before?: NodeJS.CpuUsage): Promise<NodeJS.CpuUsage> {
  const none = { user: 0, system: 0 };
  return 'cpuUsage' in thread ? thread.cpuUsage(before).catch(() => none) : none;
}
