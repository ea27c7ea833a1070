import { expect, onTestFinished, test, vi } from 'vitest';
import { repeat } from './jobs.ts';

test('a run that fails is told, and the next one goes on', async () => {
  const error = new Error('The database does not answer');
  const task = vi.fn<() => Promise<void>>().mockRejectedValueOnce(error).mockResolvedValue();
  const errors: unknown[] = [];
  onTestFinished(repeat(task, { interval: 1, onError: (reason) => errors.push(reason) }));
  await vi.waitFor(() => expect(task.mock.calls.length).toBeGreaterThan(2));
  expect(errors).toEqual([error]);
});

test('the end breaks off a run, waits for its last writes, tells no error and begins no other run', async () => {
  const errors: unknown[] = [];
  const events: string[] = [];
  const task = async (signal: AbortSignal) => {
    events.push('begun');
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    await Promise.resolve();
    events.push('written');
    signal.throwIfAborted();
  };
  const stop = repeat(task, { interval: 0, onError: (reason) => errors.push(reason) });
  await stop();
  expect(events).toEqual(['begun', 'written']);
  expect(errors).toEqual([]);
});

test('the end during a pause waits for no further run', async () => {
  const task = vi.fn<() => Promise<void>>().mockResolvedValue();
  const onError = vi.fn<(error: unknown) => void>();
  const stops = [
    repeat(task, { interval: 3_600_000, onError }),
    repeat(task, { delay: 3_600_000, interval: 0, onError }),
  ];
  await Promise.all(stops.map((stop) => stop()));
  expect(task).toHaveBeenCalledOnce();
});
