import cluster, { type Worker } from 'node:cluster';
import { pino } from 'pino';
import type { Config } from './config.ts';
import { logOptions } from './observability/logger.ts';
import { serveMetrics } from './observability/serve-metrics.ts';
import { listen } from './listen.ts';
import { readWorkerMetrics } from './observability/metrics.ts';

/** A worker that ends sooner than this after its start ended at once, in milliseconds. */
const SOON = 10_000;
/** How long the second of several workers that end at once is waited for, in milliseconds; doubled for each other. */
const RETRY_DELAY = 100;
const MAX_RETRY_DELAY = 30_000;

/**
 * Runs as many processes as the settings say on one port, replaces each that ends, and ends with all of them at a
 * signal. The first brings the database up to date before the others start; where it cannot start, none does.
 * @throws {ConfigError} when the metrics have no address to be served at.
 */
export async function superviseWorkers(config: Config): Promise<void> {
  const log = pino(logOptions(config.LOG_LEVEL));
  const { METRICS_HOST: host, METRICS_PORT: port } = config;
  const closeMetrics =
    port === undefined
      ? undefined
      : await listen('METRICS_HOST and METRICS_PORT', serveMetrics(readWorkerMetrics(), { host, port, log }));
  const workers = new Set<Worker>();
  const retries = new Set<NodeJS.Timeout>();
  let endedAtOnce = 0;
  let state: 'starting' | 'running' | 'leaving' = 'starting';

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (state === 'leaving') {
        for (const worker of workers) worker.process.kill('SIGKILL');
        process.exit(1);
      }
      state = 'leaving';
      log.info({ workers: workers.size }, `Leaving at ${signal}.`);
      for (const retry of retries) clearTimeout(retry);
      for (const worker of workers) worker.process.kill('SIGTERM');
      if (workers.size === 0) closeMetrics?.();
    });
  }

  // A signal may have come meanwhile.
  if ((await startWorker()) && state === 'starting') {
    state = 'running';
    for (let count = 1; count < config.WORKERS; count += 1) void startWorker();
  }

  /** Starts a worker and says whether it came to listen before it ended. */
  function startWorker(): Promise<boolean> {
    const begin = performance.now();
    const worker = cluster.fork();
    workers.add(worker);
    worker.on('error', (error) => log.error(error, 'A worker cannot be reached.'));
    return new Promise((resolve) => {
      worker.once('listening', () => resolve(true));
      worker.once('exit', (code, signal) => {
        workers.delete(worker);
        resolve(false);
        if (state === 'running') replace(worker, { code, signal, age: performance.now() - begin });
        // A worker that has not got as far as to listen to signals ends by them.
        else if (code !== 0 && !(state === 'leaving' && signal === 'SIGTERM')) process.exitCode = 1;
        if (state !== 'running' && workers.size === 0) closeMetrics?.();
      });
    });
  }

  function replace({ process: { pid } }: Worker, end: { code: number; signal: string; age: number }): void {
    endedAtOnce = end.age < SOON ? endedAtOnce + 1 : 0;
    const delay = endedAtOnce < 2 ? 0 : Math.min(RETRY_DELAY * 2 ** (endedAtOnce - 2), MAX_RETRY_DELAY);
    log.error({ worker: pid, code: end.code, signal: end.signal, delay }, 'A worker has ended and is replaced.');
    const retry = setTimeout(() => {
      retries.delete(retry);
      void startWorker();
    }, delay);
    retries.add(retry);
  }
}
