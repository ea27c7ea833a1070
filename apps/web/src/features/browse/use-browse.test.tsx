import { act, waitFor } from '@testing-library/react';
import type { CategoryId } from '@agent-registry/contracts';
import { useLocation, useNavigate } from 'react-router-dom';
import { expect, test } from 'vitest';
import { makeAgent } from '../../testing/make-agent.ts';
import { answerWith, renderHook } from '../../testing/render.tsx';
import type { Site } from '../../ssr/site.ts';
import { useBrowse } from './use-browse.ts';

const agents = [makeAgent()];

/** The hook, and the ways that it gives, gone. */
function useBrowser() {
  const browse = useBrowse();
  const navigate = useNavigate();
  const go = (path: string) => void navigate(path);
  return { ...browse, go, toggle: (id: CategoryId) => go(browse.toToggled(id)), address: useLocation().search };
}

/** The hook on a page at an address, with the calls that it makes. */
async function browse(url: string, site?: Partial<Site>) {
  const calls: string[] = [];
  const { result } = renderHook(useBrowser, {
    url,
    site,
    fetch: answerWith(200, agents, calls),
  });
  await waitFor(() => expect(result.current.results.agents).toEqual(agents));
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

test('choosing a category clears the search text, and choosing it again clears the category', async () => {
  const { calls, result } = await browse('/?q=otter');
  act(() => result.current.toggle('vision'));
  expect(result.current).toMatchObject({ category: 'vision', text: '', address: '?category=vision' });
  act(() => result.current.toggle('language'));
  expect(result.current).toMatchObject({ category: 'language', address: '?category=language' });
  act(() => result.current.toggle('language'));
  expect(result.current).toMatchObject({ category: undefined, text: '', address: '' });
  await waitFor(() =>
    expect(calls).toEqual([
      'GET /api/search?q=otter',
      'GET /api/agents/category/vision',
      'GET /api/agents/category/language',
      'GET /api/agents',
    ]),
  );
});

test('a text is trimmed and searched for', async () => {
  const { calls, result } = await browse('/');
  act(() => result.current.search('  c++ & otters '));
  expect(result.current).toMatchObject({ text: 'c++ & otters', address: '?q=c%2B%2B+%26+otters' });
  await waitFor(() => expect(calls).toEqual(['GET /api/agents', 'GET /api/search?q=c%2B%2B+%26+otters']));
});

test.each(['', '  \t'])('the text %j goes back to the whole list', async (text) => {
  const { calls, result } = await browse('/?q=otter');
  act(() => result.current.search(text));
  expect(result.current).toMatchObject({ text: '', address: '' });
  await waitFor(() => expect(calls).toEqual(['GET /api/search?q=otter', 'GET /api/agents']));
});

test('a text submitted while a category is active waits for all agents to be asked for', async () => {
  const { calls, result } = await browse('/?category=vision');
  act(() => result.current.search('otter'));
  expect(result.current).toMatchObject({ category: 'vision', text: 'otter' });
  expect(calls).toEqual(['GET /api/agents/category/vision']);
  act(() => result.current.go(result.current.toSearchAll));
  expect(result.current).toMatchObject({ category: undefined, text: 'otter', address: '?q=otter' });
  await waitFor(() => expect(calls).toEqual(['GET /api/agents/category/vision', 'GET /api/search?q=otter']));
});

test.each(['robots', 'Vision', '', 'constructor'])('the unknown category %j in the address is ignored', async (id) => {
  const { calls, result } = await browse(`/?category=${id}`);
  expect(calls).toEqual(['GET /api/agents']);
  expect(result.current.category).toBeUndefined();
});

test('a text in the address is cut at 200 characters', async () => {
  const { calls, result } = await browse(`/?q=+${'q'.repeat(201)}`);
  expect(calls).toEqual([`GET /api/search?q=${'q'.repeat(200)}`]);
  expect(result.current.text).toBe('q'.repeat(200));
});

test('what was loaded once is not loaded again', async () => {
  const { calls, result } = await browse('/?category=vision');
  act(() => result.current.toggle('vision'));
  await waitFor(() => expect(result.current.results.agents).toEqual(agents));
  act(() => result.current.toggle('vision'));
  expect(result.current.results.agents).toEqual(agents);
  expect(calls).toEqual(['GET /api/agents/category/vision', 'GET /api/agents']);
});

test('in a large directory the list and a category are read by pages', async () => {
  const { calls, result } = await browse('/', { isPaged: true });
  act(() => result.current.toggle('vision'));
  await waitFor(() => expect(result.current.results.agents).toEqual(agents));
  expect(calls).toEqual(['GET /api/agents?limit=48', 'GET /api/agents/category/vision?limit=48']);
});
