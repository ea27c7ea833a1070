import { defaultCategories } from '@agent-registry/contracts';
import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useAgentList } from '../../api/use-agent-list.ts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { respondWith, renderHook } from '../../testing/render.tsx';
import { useApi } from '../../api/trpc.ts';
import { readDraft, saveDraft } from './draft.ts';
import { initialValues } from '../../components/agent-form/form-values.ts';
import { useRegister } from './use-register.ts';

const newAgent = {
  name: 'Front Desk',
  description: 'Answers the phone.',
  category: 'chatbot',
  contactEmail: 'owner@example.com',
} as const;

test.each([false, true])(
  'a success shows a toast and refreshes every list and the statistics, in a large directory: %s',
  async (isLarge) => {
    const calls: string[] = [];
    const useReads = () => [
      useAgentList({}),
      useAgentList({ category: 'chatbot' }),
      useAgentList({ text: 'desk' }),
      useQuery(useApi().queries.stats.get.queryOptions()),
    ];
    const { result } = renderHook(() => ({ register: useRegister(), reads: useReads() }), {
      fetch: respondWith(200, [makeAgent()], calls),
      site: { isPaged: isLarge },
    });
    await waitFor(() => expect(result.current.reads.some(({ isPending }) => isPending)).toBe(false));
    const reads = calls.splice(0);

    await act(() => result.current.register.register(newAgent));
    expect(screen.getByRole('status').textContent).toBe('Success!Your agent has been registered successfully.');
    await waitFor(() => expect(calls).toHaveLength(5));
    expect(calls[0]).toBe('POST /api/agents');
    expect(calls.slice(1).toSorted()).toEqual(reads.toSorted());
  },
);

test.each<[string, typeof fetch, string]>([
  ['with the message of the error', respondWith(400, 'Name is required.'), '400: Name is required.'],
  [
    'with a default message if the error has none',
    () => Promise.reject(new Error('')),
    'Failed to register agent. Please try again.',
  ],
])('a failure shows a toast %s', async (_name, fetch, message) => {
  const { result } = renderHook(useRegister, { fetch });
  await act(() => result.current.register(newAgent));
  expect(screen.getByRole('alert').textContent).toBe(`Error${message}`);
});

test.each<[string, typeof fetch, string]>([
  [
    'without a response is reported as offline',
    () => Promise.reject(new TypeError('Failed to fetch')),
    'You seem to be offline. What you have typed is kept; please try again.',
  ],
  ['with a response has its message', respondWith(429, 'Too many.'), '429: Too many.'],
])('a failure while the browser is offline %s', async (_name, fetch, message) => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  onTestFinished(() => onLine.mockRestore());
  const { result } = renderHook(useRegister, { fetch });
  await act(() => result.current.register(newAgent));
  expect(screen.getByRole('alert').textContent).toBe(`Error${message}`);
});

test('a failure is kept until the next attempt, and the draft until a success', async () => {
  const answers = [respondWith(503, 'Not now.'), respondWith(201, makeAgent({ name: 'Front Desk' }))];
  const { result } = renderHook(useRegister, { fetch: (...call) => answers.shift()!(...call) });
  saveDraft({ ...initialValues, name: 'Front Desk' });
  await act(() => result.current.register(newAgent));
  await waitFor(() => expect(result.current).toMatchObject({ failure: 'Not now.', registered: undefined }));
  expect(readDraft(defaultCategories)?.name).toBe('Front Desk');
  await act(() => result.current.register(newAgent));
  await waitFor(() => expect(result.current).toMatchObject({ failure: undefined, registered: { name: 'Front Desk' } }));
  expect(readDraft(defaultCategories)).toBeUndefined();
  act(() => result.current.reset());
  await waitFor(() => expect(result.current.registered).toBeUndefined());
});

test('while a registration is pending no other is sent, and every form is disabled', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const calls: unknown[] = [];
  const { result } = renderHook(() => [useRegister(), useRegister()] as const, {
    fetch: (url) => {
      calls.push(url);
      return promise;
    },
  });
  const [one, other] = result.current;
  act(() => {
    void one.register(newAgent);
    void one.register(newAgent);
    void other.register(newAgent);
  });
  await waitFor(() => expect(result.current.map(({ isSubmitting }) => isSubmitting)).toEqual([true, true]));
  expect(calls).toHaveLength(1);
  resolve(new Response(JSON.stringify(makeAgent()), { status: 201 }));
  await waitFor(() => expect(result.current.map(({ isSubmitting }) => isSubmitting)).toEqual([false, false]));
});

test('a retry has the same idempotency key, until the values change or a success', async () => {
  const keys: (string | null)[] = [];
  let status = 0;
  const { result } = renderHook(() => [useRegister(), useRegister()] as const, {
    fetch: async (_input, init) => {
      if (init?.method === 'POST') keys.push(new Headers(init.headers).get('idempotency-key'));
      if (status === 0) throw new TypeError('The answer was lost.');
      return new Response(JSON.stringify(makeAgent()), { status });
    },
  });
  const [form, formAfterAVisitElsewhere] = result.current;
  const submit = (fields = {}, by = form) => act(() => by.register({ ...newAgent, ...fields }));

  await submit();
  await submit({ name: 'Changed' });
  await submit({ name: 'Changed' }, formAfterAVisitElsewhere);
  status = 201;
  await submit({ name: 'Changed' });
  await submit({ name: 'Changed' });
  const [first, changed, , , afterSuccess] = keys;
  expect(keys).toEqual([first, changed, changed, changed, afterSuccess]);
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
});
