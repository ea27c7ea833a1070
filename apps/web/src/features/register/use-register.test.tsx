import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useAgentList } from '../../agent-list.ts';
import { makeAgent } from '../../test/make-agent.ts';
import { answerWith, renderHook } from '../../test/render.tsx';
import { useApi } from '../../trpc.ts';
import { useRegister } from './use-register.ts';

const newAgent = {
  name: 'Front Desk',
  description: 'Answers the phone.',
  category: 'chatbot',
  contactEmail: 'owner@example.com',
} as const;

test.each([false, true])(
  'a success is told, and every list and figure on the page is read again, with a large directory: %s',
  async (isLarge) => {
    const calls: string[] = [];
    const useReads = () => [
      useAgentList({}),
      useAgentList({ category: 'chatbot' }),
      useAgentList({ text: 'desk' }),
      useQuery(useApi().queries.stats.get.queryOptions()),
    ];
    const { result } = renderHook(() => ({ register: useRegister(), reads: useReads() }), {
      fetch: answerWith(200, [makeAgent()], calls),
      site: { isPaged: isLarge },
    });
    await waitFor(() => expect(result.current.reads.some(({ isPending }) => isPending)).toBe(false));
    const reads = calls.splice(0);

    await act(async () => expect(await result.current.register.submit(newAgent)).toBe(true));
    expect(screen.getByRole('status').textContent).toBe('Success!Your agent has been registered successfully.');
    await waitFor(() => expect(calls).toHaveLength(5));
    expect(calls[0]).toBe('POST /api/agents');
    expect(calls.slice(1).toSorted()).toEqual(reads.toSorted());
  },
);

test.each<[string, typeof fetch, string]>([
  ['with the message of the error', answerWith(400, 'Name is required.'), '400: Name is required.'],
  [
    'in words of its own where the error has none',
    () => Promise.reject(new Error('')),
    'Failed to register agent. Please try again.',
  ],
])('a failure is told %s', async (_name, fetch, message) => {
  const { result } = renderHook(useRegister, { fetch });
  await act(async () => expect(await result.current.submit(newAgent)).toBe(false));
  expect(screen.getByRole('alert').textContent).toBe(`Error${message}`);
});

test('a failure because the browser is offline is told as such', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  onTestFinished(() => onLine.mockRestore());
  const { result } = renderHook(useRegister, { fetch: () => Promise.reject(new TypeError('Failed to fetch')) });
  await act(async () => expect(await result.current.submit(newAgent)).toBe(false));
  expect(screen.getByRole('alert').textContent).toContain('You seem to be offline.');
});

test('what is sent again after a failure has the key it had, until it is changed or registered', async () => {
  const keys: (string | null)[] = [];
  let status = 0;
  const { result } = renderHook(useRegister, {
    fetch: async (_input, init) => {
      if (init?.method === 'POST') keys.push(new Headers(init.headers).get('idempotency-key'));
      if (status === 0) throw new TypeError('The answer was lost.');
      return new Response(JSON.stringify(makeAgent()), { status });
    },
  });
  const submit = (fields = {}) => act(async () => void (await result.current.submit({ ...newAgent, ...fields })));

  await submit();
  await submit({ name: 'Changed' });
  await submit({ name: 'Changed' });
  status = 201;
  await submit({ name: 'Changed' });
  await submit({ name: 'Changed' });
  const [first, changed, , , afterSuccess] = keys;
  expect(keys).toEqual([first, changed, changed, changed, afterSuccess]);
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^[\da-f]{32}$/);
});
