import { act, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { expect, test } from 'vitest';
import type { Site } from '../../lib/site.ts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { renderHook, respondWith } from '../../testing/render.tsx';
import { useList } from './use-list.ts';

const agents = [makeAgent()];

function useBrowser() {
  const { params, agents: loaded } = useList();
  const { choose, search } = useChosenList();
  return { ...params, agents: loaded, query: useLocation().search, choose, search };
}

/** Renders the hook at a URL and logs its requests. */
async function browse(url: string, site?: Partial<Site>) {
  const calls: string[] = [];
  const { result } = renderHook(useBrowser, { url, site, fetch: respondWith(200, agents, calls) });
  await waitFor(() => expect(result.current.agents).toEqual(agents));
  return { calls, result };
}

test('without a search and a category the whole list is loaded', async () => {
  const { calls, result } = await browse('/');
  expect(calls).toEqual(['GET /api/agents']);
  expect(result.current).toMatchObject({ category: undefined, text: '' });
});

test('a category wins over search text', async () => {
  const { calls, result } = await browse('/?q=otter&category=vision');
  expect(calls).toEqual(['GET /api/agents/category/vision']);
  expect(result.current).toMatchObject({ category: 'vision', text: 'otter' });
});

test('a text is trimmed and searched for', async () => {
  const { calls, result } = await browse('/');
  act(() => result.current.search('  c++ & otters '));
  expect(result.current).toMatchObject({ text: 'c++ & otters', query: '?q=c%2B%2B+%26+otters' });
  await waitFor(() => expect(calls).toEqual(['GET /api/agents', 'GET /api/search?q=c%2B%2B+%26+otters']));
});

test.each(['', '  \t'])('the text %j goes back to the whole list', async (text) => {
  const { calls, result } = await browse('/?q=otter');
  act(() => result.current.search(text));
  expect(result.current).toMatchObject({ text: '', query: '' });
  await waitFor(() => expect(calls).toEqual(['GET /api/search?q=otter', 'GET /api/agents']));
});

test('a search while a category is selected sends no request until all agents are searched', async () => {
  const { calls, result } = await browse('/?category=vision');
  act(() => result.current.search('otter'));
  expect(result.current).toMatchObject({ category: 'vision', text: 'otter' });
  expect(calls).toEqual(['GET /api/agents/category/vision']);
  act(() => result.current.choose({ category: undefined, text: 'otter' }));
  expect(result.current).toMatchObject({ category: undefined, text: 'otter', query: '?q=otter' });
  await waitFor(() => expect(calls).toEqual(['GET /api/agents/category/vision', 'GET /api/search?q=otter']));
});

test.each(['robots', 'Vision', '', 'constructor'])('the unknown category %j in the URL is ignored', async (id) => {
  const { calls, result } = await browse(`/?category=${id}`);
  expect(calls).toEqual(['GET /api/agents']);
  expect(result.current.category).toBeUndefined();
});

test('a text in the URL is searched for as it is', async () => {
  const { calls, result } = await browse(`/?q=+${'q'.repeat(1_000)}`);
  expect(calls).toEqual([`GET /api/search?q=${'q'.repeat(1_000)}`]);
  expect(result.current.text).toBe('q'.repeat(1_000));
});

test('a list that was loaded once is not loaded again', async () => {
  const { calls, result } = await browse('/?category=vision');
  act(() => result.current.choose({ category: undefined }));
  await waitFor(() => expect(result.current.agents).toEqual(agents));
  act(() => result.current.choose({ category: 'vision', text: '' }));
  expect(result.current.agents).toEqual(agents);
  expect(calls).toEqual(['GET /api/agents/category/vision', 'GET /api/agents']);
});

test('in a large directory the list and a category are loaded by pages', async () => {
  const { calls, result } = await browse('/', { isPaged: true });
  act(() => result.current.choose({ category: 'vision', text: '' }));
  await waitFor(() => expect(result.current.agents).toEqual(agents));
  expect(calls).toEqual(['GET /api/agents?limit=48', 'GET /api/agents/category/vision?limit=48']);
});
