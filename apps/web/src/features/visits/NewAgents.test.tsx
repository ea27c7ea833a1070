import type { Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { queries, render } from '../../testing/render.tsx';
import { lazyNewAgentsLink, NewAgents } from './NewAgents.tsx';
import { VISIT_KEY } from './visit.ts';
import { watchVisits } from './watch-visits.ts';

// As it is preloaded in the browser.
beforeAll(async () => void (await lazyNewAgentsLink.load()));

let calls: string[] = [];

beforeEach(() => {
  calls = [];
  vi.useFakeTimers({ now: new Date('2026-11-26T10:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
});

const keep = (visit: object) => window.localStorage.setItem(VISIT_KEY, JSON.stringify(visit));
const readKept = () => JSON.parse(window.localStorage.getItem(VISIT_KEY) ?? 'null') as object;

/** Renders the link in a registry with new agents, and watches the visit. */
function visit(total: number, newest?: Agent) {
  render(
    <section tabIndex={-1} aria-label="Browse">
      <NewAgents />
    </section>,
    {
      url: '/?view=rows',
      entries: newest
        ? [
            [
              [...queries.agents.list.queryOptions().queryKey, 'pages', {}],
              { pages: [{ agents: [newest], total: 1 }], pageParams: [] },
            ],
          ]
        : [],
      fetch: async (input) => {
        calls.push(input as string);
        return Response.json({ total, pricing: {}, apiAccess: {}, proved: {} });
      },
    },
  );
  onTestFinished(watchVisits());
}

test('a first visit asks for nothing, and is kept', () => {
  visit(14);
  expect(readKept()).toEqual({ seenAt: '2026-11-26T10:00:00.000Z' });
  expect([screen.queryByRole('status'), calls]).toEqual([null, []]);
});

test('who comes back reads how many agents are new, and gets to them', async () => {
  keep({ seenAt: '2026-11-18T10:00:00.000Z' });
  visit(1_400);
  const link = await screen.findByRole('link', { name: '1,400 new since November 18' });
  expect(screen.getByRole('status').textContent).toBe(' · 1,400 new since November 18');
  expect(calls).toEqual(['/api/facets?since=2026-11-18']);
  expect(link.getAttribute('href')).toBe('/?since=2026-11-18&view=rows');
});

test('after an import, agents that are older than the last visit are not called new', async () => {
  keep({ seenAt: '2026-11-18T10:00:00.000Z' });
  visit(1_400, makeAgent({ createdAt: '2024-04-14T00:00:00.000Z' }));
  expect(await screen.findByRole('link', { name: '1,400 listed since November 18' })).toBeTruthy();
});

test('the day of a visit in another year has its year', async () => {
  keep({ seenAt: '2025-11-18T10:00:00.000Z' });
  visit(1);
  expect(await screen.findByRole('link', { name: '1 new since November 18, 2025' })).toBeTruthy();
});

test('without a new agent nothing is said', async () => {
  keep({ seenAt: '2026-11-18T10:00:00.000Z' });
  visit(0);
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(screen.getByRole('status').textContent).toBe('');
});

test('a page that is left after hours was one visit', () => {
  keep({ seenAt: '2026-11-18T10:00:00.000Z' });
  visit(0);
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  onTestFinished(() => hidden.mockRestore());
  vi.setSystemTime('2026-11-26T14:00:00Z');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(readKept()).toEqual({ seenAt: '2026-11-26T14:00:00.000Z', since: '2026-11-18' });
});
