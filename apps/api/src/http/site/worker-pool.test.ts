import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { trackConnections } from '../plugins/connection.ts';
import { registerErrorHandler } from '../plugins/error-handler.ts';
import { createWorkerPool } from './worker-pool.ts';

test('tasks whose worker thread cannot start are 503, with one logged error, and later tasks run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-worker-'));
  const file = join(folder, 'worker.mjs');
  await writeFile(file, 'throw new Error("EMFILE: too many open files");');
  const log: string[] = [];
  const app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => void log.push(line) } } });
  onTestFinished(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
  registerErrorHandler(app, trackConnections(app.server), { consume: async () => ({}) });
  const run = createWorkerPool<string, string>(app, { filename: pathToFileURL(file).href, maxThreads: 1 });
  app.get('/', () => run('task'));

  const refused = await Promise.all([app.inject('/'), app.inject('/')]);
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
  expect(refused[0]?.headers['retry-after']).toBe('2');
  expect(log).toEqual([expect.stringContaining('A worker thread could not start.')]);
  expect(log[0]).toContain('EMFILE');

  await writeFile(file, 'export default (task) => `done: ${task}`;');
  expect((await app.inject('/')).body).toBe('done: task');
});
