import { expect, test, vi } from 'vitest';
import { type CheckHost, createLivenessRounds } from './liveness.ts';
import type { HostStore } from './host-store.ts';

/** Creates the rounds over a store of one host that is due in each of them. */
function createRounds(checkHost: CheckHost) {
  const events: string[] = [];
  let due: string[] = [];
  const store = {
    sync: async () => void events.push('sync'),
    claimDue: async () => due.splice(0),
    record: async (host: string, verdict: string) => void events.push(`${host} ${verdict}`),
  } as Partial<HostStore> as HostStore;
  const rateLimitStore = { increment: async () => ({ used: 1, resetsIn: 0 }) };
  const run = createLivenessRounds({ store, checkHost, rateLimitStore });
  return {
    events,
    run: async (signal = new AbortController().signal) => {
      due = ['example.com'];
      await run(signal);
    },
  };
}

test('hosts that are due are asked in each round, and those of new agents are added in each sixtieth', async () => {
  const { events, run } = createRounds(async () => 'answered');
  const hour = ['sync', ...Array.from({ length: 60 }, () => 'example.com answered')];
  for (let round = 0; round < 120; round += 1) await run();
  expect(events).toEqual([...hour, ...hour]);
});

test('its end breaks off a request and says nothing of the host', async () => {
  const asked = vi.fn<CheckHost>(
    (_host, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve('failed'));
      }),
  );
  const { events, run } = createRounds(asked);
  const closing = new AbortController();
  const running = run(closing.signal);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce(), { interval: 1 });
  closing.abort();
  await running;
  expect(events).toEqual(['sync', 'example.com none']);
});
