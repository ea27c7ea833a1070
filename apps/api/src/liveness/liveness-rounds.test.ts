import { expect, test, vi } from 'vitest';
import { askDueHosts, type CheckHost } from './liveness.ts';
import type { HostStore } from './host-store.ts';

test('the end of a round breaks off a request and says nothing of the host', async () => {
  const events: string[] = [];
  const due = ['example.com'];
  const store = {
    claimDue: async () => due.splice(0),
    record: async (host: string, verdict: string) => void events.push(`${host} ${verdict}`),
  } as Partial<HostStore> as HostStore;
  const rateLimitStore = { increment: async () => ({ used: 1, resetsIn: 0 }) };
  const asked = vi.fn<CheckHost>(
    (_host, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve('failed'));
      }),
  );
  const closing = new AbortController();
  const running = askDueHosts({ store, checkHost: asked, rateLimitStore }, closing.signal);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce(), { interval: 1 });
  closing.abort();
  await running;
  expect(events).toEqual(['example.com none']);
});
