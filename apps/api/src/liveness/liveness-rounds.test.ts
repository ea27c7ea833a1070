import { expect, onTestFinished, test, vi } from 'vitest';
import type { CheckHost } from './check-host.ts';
import type { HostStore } from './host-store.ts';
import { startLiveness, type Pause } from './liveness.ts';

/** Ends the pause between two rounds; undefined while a round runs. */
let goOn: (() => void) | undefined;
let pauses: number[] = [];

/** A pause that ends when the test says so. */
const pause: Pause = (milliseconds, signal) => {
  pauses.push(milliseconds);
  return new Promise<void>((resolve, reject) => {
    goOn = resolve;
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
};

/** Starts liveness over a store of one host that is due in each round. */
function start({ checkHost, sync }: { checkHost: CheckHost; sync?: () => Promise<void> }) {
  const events: string[] = [];
  const errors: unknown[] = [];
  let due: string[] = [];
  const store = {
    async sync() {
      events.push('sync');
      await sync?.();
    },
    claimDue: async () => due.splice(0),
    record: async (host: string, verdict: string) => void events.push(`${host} ${verdict}`),
  } as Partial<HostStore> as HostStore;
  due = ['example.com'];
  [goOn, pauses] = [undefined, []];
  const rateLimitStore = { increment: async () => ({ used: 1, resetsIn: 0 }) };
  const stop = startLiveness({ store, checkHost, rateLimitStore, pause }, (error) => errors.push(error));
  onTestFinished(() => stop());
  const untilPause = () => vi.waitFor(() => expect(goOn).toBeDefined(), { interval: 1 });
  return {
    events,
    errors,
    stop,
    /** Runs the next rounds, one a minute. */
    pass: async (rounds: number) => {
      for (let round = 0; round < rounds; round += 1) {
        await untilPause();
        due = ['example.com'];
        const next = goOn;
        goOn = undefined;
        next?.();
      }
      await untilPause();
    },
  };
}

test('hosts that are due are asked each minute, and those of new agents are added each hour', async () => {
  const { events, errors, pass } = start({ checkHost: async () => 'answered' });
  await pass(0);
  expect(events).toEqual(['sync', 'example.com answered']);
  await pass(59);
  expect(events).toEqual(['sync', ...Array.from({ length: 60 }, () => 'example.com answered')]);
  await pass(1);
  expect(events.slice(-2)).toEqual(['sync', 'example.com answered']);
  expect(new Set(pauses)).toEqual(new Set([60_000]));
  expect(errors).toEqual([]);
});

test('a round that fails is told, and the next one goes on', async () => {
  const error = new Error('The database does not answer');
  const sync = vi.fn<() => Promise<void>>().mockRejectedValueOnce(error).mockResolvedValue();
  const { events, errors, pass } = start({ checkHost: async () => 'answered', sync });
  await pass(1);
  expect(errors).toEqual([error]);
  expect(events).toEqual(['sync', 'example.com answered']);
});

test('its end breaks off a request, waits for what is being written, and nothing is asked after it', async () => {
  const asked = vi.fn<CheckHost>(
    (_host, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve('failed'));
      }),
  );
  const { events, errors, stop } = start({ checkHost: asked });
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce(), { interval: 1 });
  await stop();
  expect(events).toEqual(['sync', 'example.com none']);
  expect(errors).toEqual([]);
  expect(asked).toHaveBeenCalledOnce();
});
