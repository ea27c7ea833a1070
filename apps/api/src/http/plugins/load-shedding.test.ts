import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { makeFailingStore, send, startTestApp } from '../../testing/test-app.ts';
import { runsAll } from '../../testing/tier.ts';

test.runIf(runsAll)(
  'while the event loop is late, requests get 503 but health checks succeed; later all requests succeed',
  async () => {
    // Reading it opens a file, which fails once the descriptors are used up; an error in a timer ends the process.
    const memoryUsage = vi.spyOn(process, 'memoryUsage').mockImplementation(() => {
      throw new Error('EMFILE: too many open files');
    });
    const app = await startTestApp({
      maxEventLoopDelay: 100,
      agents: {
        ...makeFailingStore(),
        version: async () => '1',
        isStandby: async () => false,
        async find() {
          const end = performance.now() + 500;
          while (performance.now() < end);
          return undefined;
        },
      },
    });
    const slow = `${app.url}/api/agents/${randomUUID()}`;
    await expect.poll(async () => (await send(slow)).status, { interval: 0 }).toBe(503);

    const { status, headers, body } = await send(`${app.url}/api/agents`);
    const health = [await send(`${app.url}/healthz`), await send(`${app.url}/readyz`)];
    await expect.poll(async () => (await send(`${app.url}/api/nothing`)).status).toBe(404);
    await app.close();
    memoryUsage.mockRestore();
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('2');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body).toBe('The registry has too much to do for the moment; please try again in a few seconds.');
    expect(health.map(({ status }) => status)).toEqual([200, 200]);
  },
);
