import type { Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { AgentCard } from '../../components/AgentCard.tsx';
import type { AgentVersion } from '../../api/trpc.ts';
import { queries, render } from '../../testing/render.tsx';
import { CompareTray, lazyTrayPanel } from './CompareTray.tsx';
import { Comparison } from './Comparison.tsx';
import { useCompared } from './use-chosen-agents.ts';
import { KeptLink } from '../../components/KeptLink.tsx';
import { keepAgents, toKept } from '../../components/kept-agents.ts';

const agents = ['Ant', 'Bee', 'Cat', 'Dog', 'Elk'].map((name, index) =>
  makeAgent({ name, createdAt: `2026-01-0${index + 1}T00:00:00.000Z` }),
);
const [ant, bee] = agents as [Agent, Agent];

// As it is preloaded in the browser.
beforeAll(async () => void (await lazyTrayPanel.load()));

beforeEach(() => window.localStorage.clear());

/** Renders cards with the tray and the link of the header. */
function renderCards(url = '/') {
  return render(
    <>
      <KeptLink className="" />
      {agents.map((agent) => (
        <AgentCard key={agent.id} agent={agent} />
      ))}
      <CompareTray />
    </>,
    { url },
  );
}

const toggleOf = ({ name }: Agent) => screen.getByRole('button', { name: `Keep ${name}` });
const isPressed = (agent: Agent) => toggleOf(agent).getAttribute('aria-pressed') === 'true';
// A toast is a status, too.
const readTray = async () =>
  within(await screen.findByRole('region', { name: 'Your list' })).getByRole('status').textContent;

test('a toggle keeps an agent; the header leads to the list, and the tray to the comparison of two', async () => {
  renderCards();
  expect(screen.queryByRole('link', { name: /^Your list/ })).toBeNull();
  fireEvent.click(toggleOf(ant));
  expect(isPressed(ant)).toBe(true);
  expect(await readTray()).toBe('1 of 4 agents');
  expect(screen.queryByRole('link', { name: 'Compare →' })).toBeNull();
  fireEvent.click(toggleOf(bee));
  const path = `/?compare=${ant.id},${bee.id}`;
  expect(screen.getByRole('link', { name: 'Compare →' }).getAttribute('href')).toBe(path);
  expect(screen.getByRole('link', { name: 'Your list 2' }).getAttribute('href')).toBe('/?keep=');
  fireEvent.click(toggleOf(ant));
  expect([isPressed(ant), isPressed(bee), await readTray()]).toEqual([false, true, '1 of 4 agents']);
});

test('a fifth agent is kept, and the first four are compared', async () => {
  renderCards();
  for (const agent of agents) fireEvent.click(toggleOf(agent));
  expect(agents.map(isPressed)).toEqual([true, true, true, true, true]);
  expect(await readTray()).toBe('4 of 4 agents');
  expect(screen.getByRole('link', { name: 'Your list 5' })).toBeTruthy();
  const ids = agents.slice(0, 4).map(({ id }) => id);
  expect(screen.getByRole('link', { name: 'Compare →' }).getAttribute('href')).toBe(`/?compare=${ids.join(',')}`);
});

test('an agent beyond two hundred is not kept', () => {
  keepAgents(Array.from({ length: 200 }, () => toKept(makeAgent())));
  renderCards();
  fireEvent.click(toggleOf(ant));
  expect(isPressed(ant)).toBe(false);
  expect(screen.getByText('Your list is full Remove an agent from it to keep this one.')).toBeTruthy();
});

test('agents leave the tray one by one, and the focus stays in it', async () => {
  keepAgents(agents.slice(0, 2).map(toKept));
  renderCards();
  fireEvent.click(await screen.findByRole('button', { name: 'Remove Ant from your list' }));
  expect(await readTray()).toBe('1 of 4 agents');
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Your list' }));
  fireEvent.click(screen.getByRole('button', { name: 'Remove Bee from your list' }));
  expect(screen.queryByRole('region', { name: 'Your list' })).toBeNull();
  expect(agents.some(isPressed)).toBe(false);
});

test.each(['null', '{"id":1}', '[null, 1, {"id":"x","name":"X","category":"vision"}]'])(
  'stored %s is no choice',
  (stored) => {
    window.localStorage.setItem('agent-registry.compared', stored);
    renderCards();
    expect(screen.queryByRole('link', { name: /^Your list/ })).toBeNull();
  },
);

test.each([`/?compare=${ant.id}`, '/?keep='])('the page %s has no tray', (url) => {
  keepAgents([toKept(ant)]);
  renderCards(url);
  expect(screen.queryByRole('region', { name: 'Your list' })).toBeNull();
});

const first = makeAgent({
  ...ant,
  pricingModel: 'free',
  apiAccess: 'yes',
  capabilities: ['Code Review', 'mail'],
  website: 'https://www.example.com/a',
  exampleTasks: ['Review <b>my</b> code.'],
});
const second = makeAgent({ ...bee, pricingModel: 'paid', apiAccess: 'yes', capabilities: ['code-review'] });
const unknownId = crypto.randomUUID();
const withdrawnId = crypto.randomUUID();

const toEntry = (id: string, version: AgentVersion) =>
  [queries.agents.get.queryOptions({ id }).queryKey, version] as const;

function renderComparison(...ids: string[]) {
  const entries = [
    toEntry(first.id, first),
    toEntry(second.id, second),
    toEntry('no uuid', 'unknown'),
    toEntry(unknownId, 'unknown'),
    toEntry(withdrawnId, 'withdrawn'),
  ];
  const Compared = () => <Comparison ids={ids} {...useCompared(ids)} />;
  render(<Compared />, { entries });
}

/** The texts of the cells of a row. */
const readRow = (label: RegExp) =>
  within(screen.getByRole('row', { name: label }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

test('agents are compared in the order of their ids, with what they share and where they differ', () => {
  renderComparison(second.id, first.id);
  expect(screen.getAllByRole('columnheader').map((header) => header.getAttribute('abbr'))).toEqual([
    null,
    'Bee',
    'Ant',
  ]);
  expect(readRow(/^Pricing Model/)).toEqual(['Paid', 'Free']);
  expect(readRow(/^Website/)).toEqual(['None listed.', 'example.com']);
  expect(readRow(/^Capabilities/)).toEqual(['code-review (shared)', 'Code Review (shared)mail']);
  expect(readRow(/^What it can do for you/)).toEqual(['None listed.', 'Review <b>my</b> code.']);
  expect(readRow(/^Same for all/).join()).toMatch(
    /^Description: .+Connect: None listed.Category: .+API Access: AvailableRating: 0.0\(0 reviews\)Updated: Never$/,
  );
  const rows = screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
  expect([rows[0], rows.at(-1)]).toEqual(['Pricing Model', 'Page']);
  expect(screen.getByRole('link', { name: 'Open Ant' }).getAttribute('href')).toBe(`/agent/${first.id}`);
});

test('of three agents small screens show two, and the mark of the third takes the place of the first', () => {
  const third = makeAgent({ name: 'Cat', createdAt: '2026-01-03T00:00:00.000Z' });
  const entries = [toEntry(first.id, first), toEntry(second.id, second), toEntry(third.id, third)];
  const ids = [third.id, second.id, first.id];
  const Compared = () => <Comparison ids={ids} {...useCompared(ids)} />;
  render(<Compared />, { entries });
  const shown = () =>
    screen
      .getAllByRole('columnheader')
      .filter(({ dataset }) => dataset.shown === 'true')
      .map((header) => header.getAttribute('abbr'));
  expect(shown()).toEqual(['Cat', 'Bee']);
  fireEvent.click(within(screen.getByRole('group', { name: 'Two at a time' })).getByRole('button', { name: /Ant$/ }));
  expect(shown()).toEqual(['Bee', 'Ant']);
});

test('ids without an agent are named, and withdrawn agents by their names if this browser kept them', () => {
  const gone = { ...bee, id: withdrawnId, name: 'Gone <b>' };
  keepAgents([toKept(gone)]);
  renderComparison(first.id, 'no uuid', unknownId, gone.id);
  const missing = within(screen.getByRole('list', { name: 'Not compared' })).getAllByRole('listitem');
  expect(missing.map(({ textContent }) => textContent)).toEqual([
    'No agent has the id ‘no uuid’. Remove',
    `No agent has the id ‘${unknownId}’. Remove`,
    'Gone <b> was withdrawn. Remove',
  ]);
  expect(screen.getByRole('link', { name: 'Remove no uuid' }).getAttribute('href')).toBe(
    `/?compare=${[first.id, unknownId, gone.id].join(',')}`,
  );
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('an agent that is removed from the comparison stays kept, and is not compared', async () => {
  keepAgents([first, second].map(toKept));
  renderCards();
  renderComparison(first.id, second.id);
  fireEvent.click(screen.getByRole('link', { name: 'Remove Ant' }));
  expect(screen.getByRole('link', { name: 'Your list 2' })).toBeTruthy();
  expect(await readTray()).toBe('1 of 4 agents');
});
