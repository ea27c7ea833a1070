import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTaskQueue, MAX_WAITING_PER_CLIENT, QueueFullError, type TaskClient } from './task-queue.ts';

const client: TaskClient = { address: '192.0.2.1' };

/** A task that runs until `end` is called. */
function makeTask() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const task = { isStarted: false, end: resolve, run: () => ((task.isStarted = true), promise) };
  return task;
}

test('tasks of a client run one at a time, in the order of arrival, also after a failure', async () => {
  const runInTurn = createTaskQueue(1);
  const [first, second, third] = [makeTask(), makeTask(), makeTask()];
  const results = [first, second, third].map(({ run }) => runInTurn(run, client));
  expect([first, second, third].map(({ isStarted }) => isStarted)).toEqual([true, false, false]);
  first.end(Promise.reject(new Error('broken')));
  await expect(results[0]).rejects.toThrow('broken');
  await expect.poll(() => second.isStarted).toBe(true);
  expect(third.isStarted).toBe(false);
  second.end();
  third.end();
  await Promise.all(results.slice(1));
});

test('a client waits for one task of each other client, not for all of them', async () => {
  const runInTurn = createTaskQueue(1);
  const order: string[] = [];
  const run = (name: string, address: string) => runInTurn(async () => void order.push(name), { address });
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => run(name, '192.0.2.1')),
    run('b1', '192.0.2.2'),
    // One IPv6 /48.
    run('c1', '2001:db8:1::1'),
    run('c2', '2001:db8:1:2::1'),
  ]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'c2', 'a4']);
});

test('the event loop turns between two tasks', async () => {
  const runInTurn = createTaskQueue(1);
  let turns = 0;
  const isOver = new AbortController();
  const counting = (async () => {
    while (!isOver.signal.aborted) {
      await setImmediate();
      turns += 1;
    }
  })();
  const seen = await Promise.all(Array.from({ length: 5 }, () => runInTurn(async () => turns, client)));
  isOver.abort();
  await counting;
  expect(new Set(seen).size).toBe(5);
});

test('as many tasks run at once as the queue allows', async () => {
  const runInTurn = createTaskQueue(2);
  const tasks = [makeTask(), makeTask(), makeTask()];
  const results = tasks.map(({ run }) => runInTurn(run, client));
  expect(tasks.map(({ isStarted }) => isStarted)).toEqual([true, true, false]);
  for (const { end } of tasks) end();
  await Promise.all(results);
});

test('a client that fills its line is refused until a task completes, and others are not', async () => {
  const runInTurn = createTaskQueue(1);
  const running = makeTask();
  const results = [running.run, ...Array.from({ length: MAX_WAITING_PER_CLIENT }, () => async () => {})].map((run) =>
    runInTurn(run, client),
  );
  await expect(runInTurn(async () => {}, client)).rejects.toThrow(QueueFullError);
  const other = runInTurn(async () => 'done', { address: '192.0.2.2' });
  running.end();
  expect(await other).toBe('done');
  expect(await runInTurn(async () => 'done', client)).toBe('done');
  await Promise.all(results);
});

test('many clients together are refused when they fill the queue', async () => {
  const runInTurn = createTaskQueue(1);
  const running = makeTask();
  const first = runInTurn(running.run, client);
  const waiting = Array.from({ length: 4 * MAX_WAITING_PER_CLIENT }, (_, index) =>
    runInTurn(async () => {}, { address: `198.51.100.${index}` }),
  );
  await expect(runInTurn(async () => {}, { address: '192.0.2.2' })).rejects.toThrow(QueueFullError);
  running.end();
  await Promise.all([first, ...waiting]);
});

test('a few clients that fill the queue leave others their share of it', async () => {
  const runInTurn = createTaskQueue(1);
  const running = makeTask();
  const first = runInTurn(running.run, client);
  const refused: string[] = [];
  const flood = Array.from({ length: 4 * MAX_WAITING_PER_CLIENT }, (_, index) => {
    const address = `198.51.100.${index % 4}`;
    return runInTurn(async () => {}, { address }).catch((error: unknown) => {
      if (!(error instanceof QueueFullError)) throw error;
      refused.push(address);
    });
  });
  const others = Array.from({ length: 8 }, (_, index) =>
    runInTurn(async () => 'done', { address: `192.0.2.${index + 10}` }),
  );
  running.end();
  expect(await Promise.all(others)).toEqual(others.map(() => 'done'));
  await Promise.all([first, ...flood]);
  expect(Object.values(Object.groupBy(refused, (address) => address)).map((all) => all?.length)).toEqual([2, 2, 2, 2]);
});

test('an aborted task leaves the queue immediately and never runs', async () => {
  const runInTurn = createTaskQueue(1);
  const [running, aborted, last] = [makeTask(), makeTask(), makeTask()];
  const controller = new AbortController();
  const { signal } = controller;
  const first = runInTurn(running.run, client);
  const second = runInTurn(aborted.run, { ...client, signal });
  controller.abort();
  await expect(second).rejects.toBe(signal.reason);
  const third = runInTurn(last.run, client);
  running.end();
  last.end();
  await Promise.all([first, third]);
  expect(aborted.isStarted).toBe(false);
  await expect(runInTurn(aborted.run, { ...client, signal })).rejects.toBe(signal.reason);
});
