import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { render } from '../../testing/render.tsx';
import { lazyNewAgentsStrip } from './lazy-new-agents-strip.ts';
import { NewAgents } from './NewAgents.tsx';
import { VISIT_KEY } from './visit.ts';
import { watchVisits } from './watch-visits.ts';

// As it is preloaded in the browser.
beforeAll(async () => void (await lazyNewAgentsStrip.load()));

let calls: string[] = [];

beforeEach(() => {
  calls = [];
  vi.useFakeTimers({ now: new Date('2026-11-26T10:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
});

const keep = (visit: object) => window.localStorage.setItem(VISIT_KEY, JSON.stringify(visit));
const readKept = () => JSON.parse(window.localStorage.getItem(VISIT_KEY) ?? 'null') as object;

/** Renders the home page's strip in a registry with new agents, and watches the visit. */
function visit(total: number) {
  render(
    <section tabIndex={-1} aria-label="Browse">
      <NewAgents />
    </section>,
    {
      url: '/?view=rows',
      fetch: async (input) => {
        calls.push(input as string);
        return Response.json({ total, pricing: {}, apiAccess: {}, proved: {}, capabilities: [] });
      },
    },
  );
  onTestFinished(watchVisits());
}

test('a first visit asks for nothing, and is kept', () => {
  visit(14);
  expect(readKept()).toEqual({ seenAt: '2026-11-26T10:00:00.000Z' });
  expect([document.querySelector('[data-news]'), calls]).toEqual([null, []]);
});

test('who comes back reads how many agents are new, and gets to them and their feed', async () => {
  keep({ seenAt: '2026-11-18T10:00:00.000Z' });
  visit(1_400);
  const status = await screen.findByRole('status');
  await waitFor(() => expect(status.textContent).toBe('1,400 new agents since your last visit on November 18'));
  expect(calls).toEqual(['/api/facets?since=2026-11-18']);
  const paths = ['Show only these', 'Follow the feed'].map((name) =>
    screen.getByRole('link', { name }).getAttribute('href'),
  );
  expect(paths).toEqual(['/?since=2026-11-18&view=rows', '/feed.xml?since=2026-11-18']);
});

test('one new agent since a visit in another year', async () => {
  keep({ seenAt: '2025-11-18T10:00:00.000Z' });
  visit(1);
  expect(await screen.findByText('November 18, 2025', { exact: false })).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('1 new agent since your last visit on November 18, 2025');
});

test('without a new agent there is no strip', async () => {
  keep({ seenAt: '2026-11-18T10:00:00.000Z' });
  visit(0);
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(document.querySelector('[data-news]')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('');
});

test('the strip is hidden until the next visit, and the focus stays in the section', async () => {
  keep({ seenAt: '2026-11-18T10:00:00.000Z' });
  visit(14);
  fireEvent.click(await screen.findByRole('button', { name: 'Hide until your next visit' }));
  expect(screen.queryByRole('status')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Browse' }));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(readKept()).toEqual({ seenAt: '2026-11-26T10:00:00.000Z', since: '2026-11-18', isHidden: true });
  vi.setSystemTime('2026-11-28T10:00:00Z');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(readKept()).toEqual({ seenAt: '2026-11-28T10:00:00.000Z', since: '2026-11-26' });
  expect(await screen.findByRole('link', { name: 'Show only these' })).toBeTruthy();
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
