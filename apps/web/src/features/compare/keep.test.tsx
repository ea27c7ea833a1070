import {
  hashConnections,
  KEPT_PATH,
  publicHistoryFields,
  toManagedSettingsPath,
  toSharedPath,
  type Agent,
} from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useApi, type CacheEntry } from '../../api/trpc.ts';
import { queries, render, respondWith } from '../../testing/render.tsx';
import { keepAgents, toKept } from '../../components/kept-agents.ts';
import { SharedList } from './SharedList.tsx';
import type { KeptVersion } from './use-chosen-agents.ts';
import { YourList } from './YourList.tsx';

const agents = ['Ant', 'Bee', 'Cat', 'Dog', 'Elk'].map((name) => makeAgent({ name, pricingModel: 'free' }));
const [ant, bee] = agents as [Agent, Agent];
const STORAGE_KEY = 'agent-registry.compared';

beforeEach(() => window.localStorage.clear());

const toEntry = (id: string, version: KeptVersion): CacheEntry => [
  [...queries.agents.get.queryOptions({ id }).queryKey, 'card'],
  version,
];
const readKept = () => JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? '[]') as { name: string }[];
const namesOfKept = () => readKept().map(({ name }) => name);

function renderYours(versions: readonly CacheEntry[] = agents.map((agent) => toEntry(agent.id, agent))) {
  return render(<YourList />, { url: KEPT_PATH, entries: versions });
}

test('a kept agent is read again once its owner has changed an agent', async () => {
  keepAgents([toKept(ant)]);
  let invalidate = () => Promise.resolve();
  const Page = () => {
    const { queries: own } = useApi();
    invalidate = () => own.agents.invalidate();
    return <YourList />;
  };
  render(<Page />, { entries: [toEntry(ant.id, ant)], fetch: respondWith(200, { ...ant, name: 'Anteater' }) });
  await act(() => invalidate());
  expect(await screen.findByRole('heading', { name: 'Anteater' })).toBeTruthy();
});

/** Two values of each field whose changes everybody can read, and what the list says of the change. */
const changes = {
  name: ['Old <b>', 'New', 'name Old <b> → New'],
  category: ['vision', 'language', 'category Computer Vision → Language Processing'],
  connections: [
    [{ kind: 'mcp', transport: 'streamable-http', url: 'https://example.com/mcp' }],
    [{ kind: 'a2a', card: 'https://example.com/card.json' }],
    'connects mcp https://example.com/mcp → a2a https://example.com/card.json',
  ],
  serverName: [undefined, 'weather', 'MCP server name none → weather'],
  website: [null, 'https://example.com/', 'website none → https://example.com/'],
  pricingModel: ['free', 'paid', 'pricing Free → Paid'],
  apiAccess: ['no', 'yes', 'API access No API → Yes - API Available'],
} satisfies {
  [Field in (typeof publicHistoryFields)[number]]: readonly [then: Agent[Field], now: Agent[Field], said: string];
};

test('an agent says all that has changed of public fields since it was kept, and the others say nothing', () => {
  const at = (index: 0 | 1) =>
    Object.fromEntries(Object.entries(changes).map(([field, values]) => [field, values[index]]));
  const former = makeAgent({ ...at(0) });
  const now = makeAgent({ ...at(1), id: former.id, description: 'Other.' });
  keepAgents([{ ...toKept(former), day: '2026-11-02' }, toKept(ant)]);
  renderYours([toEntry(former.id, now), toEntry(ant.id, ant)]);
  expect(screen.getAllByText(/^Changed since/).map(({ textContent }) => textContent)).toEqual([
    `Changed since Nov 2, 2026: ${publicHistoryFields.map((field) => changes[field][2]).join(', ')}`,
  ]);
});

test('what an earlier version kept of an agent has not changed', () => {
  window.localStorage.setItem(STORAGE_KEY, JSON.stringify([{ id: ant.id, name: 'Ant', category: ant.category }]));
  renderYours();
  expect(screen.queryByText(/^Changed since/)).toBeNull();
  expect(screen.getByRole('article', { name: 'Ant' })).toBeTruthy();
});

test('the allow-list shows the addresses and commands of kept agents, and its address has the hashes of these', async () => {
  vi.stubGlobal('isSecureContext', true);
  const npm = { kind: 'mcp-package', registry: 'npm', identifier: '@example/ant', version: '1.4.0' } as const;
  const connected = { ...ant, connections: [npm] };
  keepAgents([toKept(ant)]);
  render(<YourList />, { entries: [toEntry(ant.id, ant)], fetch: respondWith(200, connected) });
  const details = screen.getByText('Allow-list for Claude Code and Copilot').closest('details')!;
  expect(details.textContent).toContain('drops out until you look at it again');
  act(() => {
    details.open = true;
  });
  expect(await within(details).findByText('npx -y @example/ant@1.4.0')).toBeTruthy();
  const path = toManagedSettingsPath([{ id: ant.id, hash: await hashConnections([npm]) }]);
  expect(within(details).getByLabelText<HTMLInputElement>('Address of the file').value).toContain(path);
});

test('withdrawn agents and those that are not listed say so by the names that were kept', () => {
  keepAgents([ant, bee].map(toKept));
  renderYours([toEntry(ant.id, 'withdrawn'), toEntry(bee.id, 'unknown')]);
  expect(screen.getByText('Ant').parentElement?.textContent).toBe('Ant was withdrawn.');
  expect(screen.getByText('Bee').parentElement?.textContent).toBe('Bee is not listed.');
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('the first four are compared until others are chosen, and never more than four', () => {
  keepAgents(agents.map(toKept));
  renderYours();
  const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Compare ${name}` });
  const chosen = () => agents.map(({ name }) => box(name).checked);
  expect(chosen()).toEqual([true, true, true, true, false]);
  fireEvent.click(box('Elk'));
  expect(chosen()).toEqual([true, true, true, true, false]);
  expect(screen.getAllByText(/^Four at most/)).not.toEqual([]);
  fireEvent.click(box('Ant'));
  fireEvent.click(box('Elk'));
  expect(chosen()).toEqual([false, true, true, true, true]);
  const ids = agents.slice(1).map(({ id }) => id);
  expect(screen.getByRole('link', { name: /^Compare 4/ }).getAttribute('href')).toBe(`/?compare=${ids.join(',')}`);
});

test('agents are removed one by one, all of them after a question, and the focus stays in the list', () => {
  keepAgents(agents.map(toKept));
  renderYours();
  fireEvent.click(screen.getByRole('button', { name: 'Remove Bee' }));
  expect(namesOfKept()).toEqual(['Ant', 'Cat', 'Dog', 'Elk']);
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Your list: 4 agents' }));
  const answers = [false, true];
  const questions: unknown[] = [];
  vi.stubGlobal('confirm', (question: string) => (questions.push(question), answers.shift()));
  const removeAll = () => fireEvent.click(screen.getByRole('button', { name: 'Remove all' }));
  removeAll();
  expect(namesOfKept()).toEqual(['Ant', 'Cat', 'Dog', 'Elk']);
  removeAll();
  expect(namesOfKept()).toEqual([]);
  expect(questions).toEqual(Array(2).fill('Remove 4 agents from your list?'));
});

test('another tab changes the list', () => {
  renderYours();
  window.localStorage.setItem(STORAGE_KEY, JSON.stringify([toKept(ant)]));
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: STORAGE_KEY })));
  expect(screen.getByRole('heading', { name: 'Your list: 1 agent' })).toBeTruthy();
});

test('an agent that could not be loaded has its name, and a way to try again', async () => {
  keepAgents([toKept(ant)]);
  render(<YourList />, { url: KEPT_PATH, fetch: respondWith(503, 'Busy.') });
  expect(await screen.findByText('Some agents could not be loaded.')).toBeTruthy();
  expect(screen.getByText('Ant')).toBeTruthy();
});

test('a shared list is kept as a whole or in part, and names the agents that are not listed', async () => {
  const withdrawnId = crypto.randomUUID();
  const ids = [ant.id, withdrawnId, 'no-id', bee.id];
  const entries = [
    toEntry(ant.id, ant),
    toEntry(withdrawnId, 'withdrawn'),
    toEntry('no-id', 'unknown'),
    toEntry(bee.id, bee),
  ];
  render(<SharedList ids={ids} />, { url: toSharedPath(ids), entries });
  expect(screen.getByRole('heading', { name: 'A shared list: 4 agents' })).toBeTruthy();
  const missing = within(screen.getByRole('list', { name: 'Not listed' })).getAllByRole('listitem');
  expect(missing.map(({ textContent }) => textContent)).toEqual([
    `The agent ‘${withdrawnId}’ was withdrawn.`,
    'No agent has the id ‘no-id’.',
  ]);
  expect(screen.getByRole('link', { name: /^Compare/ }).getAttribute('href')).toBe(`/?compare=${ant.id},${bee.id}`);
  expect(namesOfKept()).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Keep Bee' }));
  expect(namesOfKept()).toEqual(['Bee']);
  fireEvent.click(screen.getByRole('button', { name: 'Keep all' }));
  expect(namesOfKept()).toEqual(['Bee', 'Ant']);
  await waitFor(() => expect(screen.getByText(/1 agent added\./)).toBeTruthy());
});

test('a shared list that has more agents than there is room for is kept as far as it goes', async () => {
  keepAgents(Array.from({ length: 199 }, () => toKept(makeAgent({ name: 'Other' }))));
  const ids = [ant.id, bee.id];
  render(<SharedList ids={ids} />, { url: toSharedPath(ids), entries: [toEntry(ant.id, ant), toEntry(bee.id, bee)] });
  fireEvent.click(screen.getByRole('button', { name: 'Keep all' }));
  await waitFor(() => expect(screen.getByText(/1 agent added\. Your list is full with 200\./)).toBeTruthy());
  expect(namesOfKept().slice(198)).toEqual(['Other', 'Ant']);
});
