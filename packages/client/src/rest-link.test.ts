import { randomUUID } from 'node:crypto';
import { startTestApp } from '@agent-registry/api/testing/test-app';
import { createTRPCClient, TRPCClientError } from '@trpc/client';
import { expect, onTestFinished, test } from 'vitest';
import { RestError } from './rest-error.ts';
import { restLink, type AppRouter } from './rest-link.ts';

test('a tRPC client over the link gets data, headers, and the RestError as the cause of an error', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  const client = createTRPCClient<AppRouter>({ links: [restLink({ url: app.url })] });
  const headers: Headers[] = [];
  const context = { onHeaders: (received: Headers) => headers.push(received) };
  expect(await client.agents.list.query({ limit: 1 }, { context })).toEqual({ agents: [], total: 0 });
  expect(headers[0]?.get('X-Total-Count')).toBe('0');

  const error = await client.agents.get.query({ id: randomUUID() }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TRPCClientError);
  expect(error).toMatchObject({ message: '404: No agent has this id.', cause: { status: 404 } });
  expect((error as Error).cause).toBeInstanceOf(RestError);

  const aborter = new AbortController();
  const aborted = client.stats.get.query(undefined, { signal: aborter.signal });
  aborter.abort();
  await expect(aborted).rejects.toThrow(TRPCClientError);
});
