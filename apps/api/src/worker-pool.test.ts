import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { trackConnections } from './http/plugins/connection.ts';
import { registerErrorHandler } from './http/plugins/error-handler.ts';
import { createWorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

/** An application that runs the code of a worker thread. @returns the function that changes the code */
async function start(code: string, options: Partial<WorkerPoolOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-worker-'));
  const file = join(folder, 'worker.mjs');
  const write = (text: string) => writeFile(file, text);
  await write(code);
  const log: string[] = [];
  const app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => void log.push(line) } } });
  onTestFinished(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
  registerErrorHandler(app, trackConnections(app.server), { charge: async () => {}, consume: async () => ({}) });
  const filename = pathToFileURL(file).href;
  const run = createWorkerPool<string, string>(app, { filename, maxThreads: 1, ...options });
  app.get<{ Params: { task: string } }>('/:task', ({ params }) => run(params.task));
  return { app, log, write };
}

test('tasks whose worker thread cannot start are 503, with one logged error, and later tasks run', async () => {
  const { app, log, write } = await start('throw new Error("EMFILE: too many open files");');
  const refused = await Promise.all([app.inject('/one'), app.inject('/other')]);
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
  expect(refused[0]?.headers['retry-after']).toBe('2');
  expect(log).toEqual([expect.stringContaining('A worker thread could not start.')]);
  expect(log[0]).toContain('EMFILE');

  await write('export default (task) => `done: ${task}`;');
  expect((await app.inject('/task')).body).toBe('done: task');
});

test('a task without an end is 503, with a logged error, and the tasks after it run', async () => {
  const { app, log } = await start(
    'export default (task) => { while (task === "endless"); return `done: ${task}`; }',
    // Longer than a thread takes to start on a busy machine.
    { timeLimit: 1_500 },
  );
  const endless = await app.inject('/endless');
  expect(endless.statusCode).toBe(503);
  expect(log[0]).toContain('A worker thread took more than 1500 ms and was ended.');
  expect((await app.inject('/task')).body).toBe('done: task');
});

test('a task above the limit of processor time is 503 long before the limit by the clock, within an expression too', async () => {
  const { app, log } = await start(
    'export default (task) => String(/^(a|a)*$/.test(task === "endless" ? "a".repeat(60) + "b" : task));',
    { timeLimit: 600_000, processorLimit: 200 },
  );
  expect((await app.inject('/endless')).statusCode).toBe(503);
  expect(log[0]).toContain('A worker thread took more than 200 ms of processor time and was ended.');
  expect((await app.inject('/a')).body).toBe('true');
});

test('what tasks leave to the event loop of their thread is done between later tasks', async () => {
  const { app } = await start(
    'let done = 0; export default () => { setImmediate(() => { done += 1; }); return String(done); };',
  );
  let done = '0';
  for (let count = 0; count < 50 && done === '0'; count += 1) done = (await app.inject('/task')).body;
  expect(done).not.toBe('0');
});
