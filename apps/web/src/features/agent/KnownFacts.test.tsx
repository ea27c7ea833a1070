import { createManagementKey, type Agent, type EntryFacts } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { keepKey } from '../../components/owner-keys.ts';
import { readToday } from '../../components/use-today.ts';
import { hydrate, queries, render } from '../../testing/render.tsx';
import { KnownFacts } from './KnownFacts.tsx';
import { lazyViewsChart } from './lazy-views-chart.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const DAY = 86_400_000;
/** What an entry that was never changed says at the end. */
const unchanged = ['Unchanged since it was added', 'Report a problem'];

afterEach(() => localStorage.clear());

const known = () =>
  Array.from(
    screen.getByRole('region', { name: 'What is known about this entry' }).querySelectorAll('li'),
    (fact) => fact.textContent,
  );

/** Renders the facts of an agent with what the registry knows of it. */
function show(agent: Partial<Agent>, facts: Partial<EntryFacts> = {}) {
  const entry = { monthlyViews: null, website: null, ...facts };
  return render(<KnownFacts agent={makeAgent({ id: ID, ...agent })} />, {
    entries: [[queries.agents.facts.queryOptions({ id: ID }).queryKey, entry]],
  });
}

test.each([
  ['host', 'example.com'],
  ['page', 'this page of example.com'],
  [undefined, 'this page of example.com'],
] as const)('a proof of the kind %s is one of %s', (websiteProof, proved) => {
  show({ website: 'https://example.com/a', websiteCheckedAt: '2026-03-03T23:00:00.000Z', websiteProof });
  expect(known()[0]).toBe(`Owner proved ${proved} on March 3, 2026. Is this your agent?`);
});

test('a proof names the port it was made on where the website has another one', () => {
  show({ website: 'https://example.com:8443/', websiteCheckedAt: '2026-03-03T23:00:00.000Z', websiteProof: 'host' });
  expect(known()[0]).toBe('Owner proved example.com:443 on March 3, 2026. Is this your agent?');
});

test('an entry whose website nobody proved says so; one without a website leads its owner on only', () => {
  const { unmount } = show({ website: 'https://example.com/a' });
  expect(known()[0]).toBe('Not claimed: nobody has proved to own example.com yet. Is this your agent?');
  unmount();
  show({ websiteCheckedAt: '2026-03-03T23:00:00.000Z' });
  expect(known()).toEqual(['Is this your agent?', ...unchanged]);
});

test('the owner is not asked whether the agent is theirs, and only a listed agent is reported', async () => {
  await lazyViewsChart.load();
  keepKey({ id: ID, name: 'Otter', key: createManagementKey() });
  const { unmount } = show({});
  expect(known()).toEqual(unchanged);
  unmount();
  render(<KnownFacts agent={makeAgent({ id: ID })} isHeld />);
  expect(known()).toEqual(['Unchanged since it was added']);
});

test('an entry that was imported says from where, in place of that nobody has claimed it', () => {
  const sources = [
    { attribution: 'MCP <b>Registry', licence: 'CC0-1.0', day: '2026-11-02' },
    { attribution: 'List of Otters', licence: 'CC-BY-4.0', day: '2026-11-03' },
  ];
  show({ website: 'https://example.com/a' }, { sources });
  expect(known()).toEqual([
    'Imported from MCP <b>Registry, not claimed (CC0-1.0, November 2, 2026). Is this your agent?',
    'Also listed by List of Otters (CC-BY-4.0, November 3, 2026)',
    ...unchanged,
  ]);
});

test('an entry that was changed says when', () => {
  show({ updatedAt: new Date(Date.parse(readToday()) - 3 * DAY).toISOString() });
  expect(known()).toContain('Updated 3 days ago');
});

test('the HTML of the server has the day of the last change, and the hydrated page its distance from today', () => {
  const updatedAt = `${readToday()}T00:00:00.000Z`;
  const day = new Date(updatedAt).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  let html: string | null = '';
  const element = <KnownFacts agent={makeAgent({ updatedAt })} />;
  const { container } = hydrate(element, (page) => (html = page.textContent));
  expect(html).toContain(`Updated ${day}`);
  expect(container.textContent).toContain('Updated today');
});

test.each<[string, EntryFacts['website'], string[]]>([
  [
    'answers',
    { host: 'example.com', answeredAt: `${readToday()}T00:00:00.000Z`, silentSince: null },
    ['example.com answered today'],
  ],
  [
    'is silent',
    { host: 'example.com', answeredAt: null, silentSince: '2026-11-02T10:00:00.000Z' },
    ['example.com has not answered since November 2, 2026, seen from here'],
  ],
  ['failed once', { host: 'example.com', answeredAt: null, silentSince: null }, []],
  ['is not asked', null, []],
])('a host that %s is described in a sentence, or not at all', (_state, website, sentences) => {
  show({}, { website });
  expect(known()).toEqual(['Is this your agent?', ...sentences, ...unchanged]);
});

test('the owner sees the views of each day as a line, and has the website checked again', async () => {
  keepKey({ id: ID, name: 'Otter', key: createManagementKey() });
  await lazyViewsChart.load();
  const requests: string[] = [];
  const website = { host: 'example.com', answeredAt: null, silentSince: '2026-11-02T10:00:00.000Z' };
  const viewsByDay = [2, 0, 5].map((views, index) => ({ day: `2026-11-0${index + 1}`, views }));
  const answered = { ...website, answeredAt: `${readToday()}T00:00:00.000Z`, silentSince: null };
  render(<KnownFacts agent={makeAgent({ id: ID })} />, {
    fetch: async (input, init) => {
      requests.push(`${init?.method} ${input as string}`);
      const isCheck = (input as string).endsWith('/website-check');
      return Response.json({ monthlyViews: 7, viewsByDay, website: isCheck ? answered : website });
    },
  });
  expect(await screen.findByText('Your views: 7 since Nov 1, 2026')).toBeTruthy();
  const line = document.querySelector('polyline')?.getAttribute('points')?.split(' ') ?? [];
  expect(line).toHaveLength(3);
  // The highest point is that of the last day.
  const heights = line.map((point) => Number(point.split(',')[1]));
  expect(Math.min(...heights)).toBe(heights[2]);
  await userEvent.click(screen.getByRole('button', { name: 'Check the website again' }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('The website was checked now.'));
  expect(known()).toContain('example.com answered today');
  expect(requests).toContain(`POST /api/agents/${ID}/website-check`);
});
