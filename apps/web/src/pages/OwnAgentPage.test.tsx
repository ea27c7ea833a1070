import { AGENT_PAGE_PATH, createManagementKey, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import { keepKey } from '../components/owner-keys.ts';
import type { CacheEntry } from '../api/trpc.ts';
import { queries, render } from '../testing/render.tsx';
import { AgentPage } from './AgentPage.tsx';

const key = createManagementKey();
const listed = makeAgent({ name: 'Otter', website: null });
const proposed: Agent = { ...listed, name: 'Badger' };

beforeEach(() => keepKey({ id: listed.id, name: 'Otter', key }));

type Opened = { version: Response | Agent; own?: Agent; query?: string; entries?: readonly CacheEntry[] };

/** Opens the page of an agent; the registry responds to the owner with a version, and to others with the listed one. */
function open({ version, own, query = '', entries = [] }: Opened) {
  const calls: string[] = [];
  let isTakenBack = false;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const isOwner = new Headers(init?.headers).get('authorization') === `Bearer ${key}`;
    const path = input as string;
    calls.push(`${init?.method} ${path}${isOwner ? ' with the key' : ''}`);
    if (init?.method === 'DELETE') isTakenBack = true;
    if (path.endsWith('/history')) return new Response('[]');
    if (!/\/api\/agents\/[^/]+(?:\/proposal)?$/.test(path)) return new Response('', { status: 500 });
    if (isOwner && !isTakenBack)
      return version instanceof Response ? version.clone() : Response.json(version, { status: 202 });
    return own ? Response.json(own) : new Response('No agent has this id.', { status: 404 });
  };
  render(
    <Routes>
      <Route path={AGENT_PAGE_PATH} element={<AgentPage />} />
    </Routes>,
    { url: `/agent/${listed.id}${query}`, fetch, entries },
  );
  return calls;
}

const refused = (agent: Agent) =>
  Response.json(agent, { status: 202, headers: { 'X-Refusal-Reason': encodeURIComponent('Is it „yours“?') } });

test('the owner of a held agent sees its page, with its name as the title', async () => {
  open({ version: proposed });
  expect(await screen.findByRole('heading', { level: 1, name: 'Badger' })).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'This entry waits for review' })).toBeTruthy();
  expect(document.title).toBe('Badger – Agent Registry');
  for (const [name, action] of [
    ['Edit', 'edit'],
    ['Withdraw', 'withdraw'],
  ] as const) {
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(`/agent/${listed.id}?manage=${action}`);
  }
});

test('the owner sees a held agent on the page that the server rendered for everybody', async () => {
  open({ version: proposed, entries: [[queries.agents.get.queryOptions({ id: listed.id }).queryKey, 'unknown']] });
  expect(await screen.findByRole('heading', { level: 1, name: 'Badger' })).toBeTruthy();
});

test('the owner of a refused agent reads the reason', async () => {
  open({ version: refused(proposed) });
  expect(await screen.findByRole('heading', { name: 'This entry was refused' })).toBeTruthy();
  expect(screen.getByText('Is it „yours“?')).toBeTruthy();
});

test('the form edits a held agent', async () => {
  open({ version: proposed, query: '?manage=edit' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Edit: Badger' })).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Agent Name/ }).value).toBe('Badger');
});

test('the owner of a listed agent reads which change waits, and takes it back', async () => {
  const calls = open({ version: proposed, own: listed });
  expect(await screen.findByRole('heading', { name: 'Your change waits for review' })).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Otter');
  expect(screen.getByText('name Otter → Badger')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Change it' }).getAttribute('href')).toContain('manage=edit');
  fireEvent.click(screen.getByRole('button', { name: 'Take it back' }));
  await waitFor(() => expect(screen.queryByText('Your change waits for review')).toBeNull());
  expect(calls).toContain(`DELETE /api/agents/${listed.id}/proposal with the key`);
});

test('the owner of a listed agent reads why a change was refused', async () => {
  open({ version: refused(proposed), own: listed });
  expect(await screen.findByRole('heading', { name: 'Your change was refused' })).toBeTruthy();
  expect(screen.getByText('Is it „yours“?')).toBeTruthy();
});

test('a kept key that is not that of a held agent shows no page', async () => {
  open({ version: new Response('No agent has this id.', { status: 404 }) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Agent Not Found' })).toBeTruthy();
});

test('the form that proves the website does not ask an owner whose agent it is', async () => {
  open({ version: listed, own: listed, query: '?manage=key' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Prove that it is yours: Otter' })).toBeTruthy();
});
