import { expect, test } from 'vitest';
import { createTaskQueue, QueueFullError } from './task-queue.ts';

const { signal } = new AbortController();

/** A task that runs until `end` is called. */
function makeTask() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const task = { isStarted: false, end: resolve, run: () => ((task.isStarted = true), promise) };
  return task;
}

test('tasks run one at a time, in the order of arrival, also after a failure', async () => {
  const runInTurn = createTaskQueue(2);
  const [first, second, third] = [makeTask(), makeTask(), makeTask()];
  const results = [first, second, third].map(({ run }) => runInTurn(run, signal));
  expect([first, second, third].map(({ isStarted }) => isStarted)).toEqual([true, false, false]);
  first.end(Promise.reject(new Error('broken')));
  await expect(results[0]).rejects.toThrow('broken');
  await expect.poll(() => second.isStarted).toBe(true);
  expect(third.isStarted).toBe(false);
  second.end();
  third.end();
  await Promise.all(results.slice(1));
});

test('a full queue refuses tasks until a task completes', async () => {
  const runInTurn = createTaskQueue(1);
  const [running, waiting] = [makeTask(), makeTask()];
  const results = [running, waiting].map(({ run }) => runInTurn(run, signal));
  await expect(runInTurn(async () => {}, signal)).rejects.toThrow(QueueFullError);
  running.end();
  await results[0];
  const last = runInTurn(async () => 'done', signal);
  waiting.end();
  expect(await last).toBe('done');
});

test('an aborted task leaves the queue immediately and never runs', async () => {
  const runInTurn = createTaskQueue(1);
  const [running, aborted, last] = [makeTask(), makeTask(), makeTask()];
  const controller = new AbortController();
  const first = runInTurn(running.run, signal);
  const second = runInTurn(aborted.run, controller.signal);
  controller.abort();
  await expect(second).rejects.toBe(controller.signal.reason);
  const third = runInTurn(last.run, signal);
  running.end();
  last.end();
  await Promise.all([first, third]);
  expect(aborted.isStarted).toBe(false);
  await expect(runInTurn(aborted.run, controller.signal)).rejects.toBe(controller.signal.reason);
});
