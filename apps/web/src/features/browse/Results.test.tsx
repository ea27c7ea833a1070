import {
  defaultCategories,
  FULL_MATCHES_HEADER,
  SOME_WORDS,
  listOperators,
  POSITION_HEADER,
  toCursor,
  TOTAL_BOUND_HEADER,
  TOTAL_HEADER,
  type Agent,
} from '@agent-registry/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { respondWithPages } from '../../testing/respond-with-pages.ts';
import { queries, respondWith, render } from '../../testing/render.tsx';
import { useApi } from '../../api/trpc.ts';
import { useChosenList } from '../../navigation/chosen-list.tsx';
import { describeWayBack, lazyAgentRows, lazyEmptyState, lazyPageLinks, Results } from './Results.tsx';
import { useList } from './use-list.ts';

const makeAgents = (count: number) =>
  Array.from({ length: count }, (_, index) => makeAgent({ name: `Agent ${index + 1}` }));
// Not by role, which reads the style of every element at each look.
const cards = () => [...document.querySelectorAll('article')];
const nameLink = (index: number) => within(cards()[index]!).getAllByRole('link')[0];
const waitForCards = (count: number) => waitFor(() => expect(cards()).toHaveLength(count));
const loadMore = () => screen.getByText('Load More Agents').closest('button')!;
/** Presses the button three times at once, which shows 36 more. */
const pressThrice = () => {
  const button = loadMore();
  for (let press = 0; press < 3; press += 1) fireEvent.click(button);
};
const line = () => screen.getByRole('status').textContent;

/** Fakes timers. jsdom's animation frames stay real: faked between two frames, they would stop. */
function useFakeTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
}

function List() {
  return <Results list={useList()} />;
}

/** Renders the list of all agents, which came with the page. */
function renderAgents(agents: Agent[], fetch?: typeof globalThis.fetch) {
  const key = [...queries.agents.list.queryOptions().queryKey, 'pages', {}];
  const entries = [[key, { pages: [{ agents, total: agents.length }], pageParams: [undefined] }]] as const;
  render(
    <>
      <ReadAnew />
      <List />
    </>,
    { entries, ...(fetch && { fetch }) },
  );
}

function ReadAnew() {
  const { queries: ownQueries } = useApi();
  return <button onClick={() => void ownQueries.agents.invalidate()}>Read anew</button>;
}

// As they are preloaded in the browser.
beforeAll(async () => void (await Promise.all([lazyEmptyState, lazyPageLinks].map(({ load }) => load()))));

test('six busy skeleton cards are shown while the agents load; the live region is not busy', () => {
  render(<List />, { fetch: () => new Promise(() => {}) });
  expect(screen.getAllByTestId('skeleton-card')).toHaveLength(6);
  expect(screen.getAllByTestId('skeleton-card')[0]?.closest('[aria-busy=true]')).not.toBeNull();
  expect(line()).toBe('Loading agents…');
  expect(screen.getByRole('status').closest('[aria-busy=true]')).toBeNull();
});

test.each([
  ['/', 'No agents available.'],
  ['/?q=otter', 'No agents found matching your criteria.'],
])('an empty list at %s reads %j and has no button', async (url, text) => {
  render(<List />, { url, fetch: respondWith(200, []) });
  expect(await screen.findByText(text)).toBe(screen.getByRole('status'));
  expect(screen.queryByRole('button')).toBeNull();
});

test('beside the empty result of a search are the newest agents, or none if they cannot be read', async () => {
  const newest = makeAgents(3);
  const answer = (isFound: boolean) => async (input: unknown) =>
    String(input).startsWith('/api/search') || !isFound
      ? new Response('[]', { status: String(input).startsWith('/api/search') ? 200 : 503 })
      : new Response(JSON.stringify(newest));
  const { unmount } = render(<List />, { url: '/?q=otter', fetch: answer(true) });
  await screen.findByRole('heading', { name: 'The newest agents' });
  expect(cards()).toHaveLength(3);
  unmount();
  render(<List />, { url: '/?q=otter', fetch: answer(false) });
  await screen.findByText('No agents found matching your criteria.');
  expect(screen.queryByRole('article')).toBeNull();
});

test('each example in the empty result of a search is an operator', async () => {
  render(<List />, { url: '/?q=otter', fetch: respondWith(200, []) });
  const examples = await screen.findByRole('list', { name: 'Examples of searches' });
  const typed = Array.from(examples.querySelectorAll('code'), (code) => code.textContent);
  expect(typed).toHaveLength(5);
  for (const example of typed) expect(listOperators(`otter ${example}`)).toHaveLength(1);
});

test('each press shows twelve more and focuses the first of them, until all are shown', async () => {
  renderAgents(makeAgents(30));
  expect(cards()).toHaveLength(12);
  expect(line()).toBe('Showing 12 of 30 agents');

  await userEvent.click(loadMore());
  await waitForCards(24);
  expect(line()).toBe('Showing 24 of 30 agents');
  expect(nameLink(12)).toBe(document.activeElement);

  await userEvent.click(loadMore());
  await waitForCards(30);
  expect(line()).toBe('All 30 agents are shown.');
  expect(nameLink(24)).toBe(document.activeElement);
});

test('each of several quick presses shows twelve more', async () => {
  renderAgents(makeAgents(60));
  pressThrice();
  expect(await screen.findByText('Showing 48 of 60 agents')).toBeTruthy();
  expect(cards()).toHaveLength(48);
});

test('the button stays and does nothing when all agents are shown', async () => {
  renderAgents(makeAgents(12), respondWith(200, makeAgents(13)));
  expect(line()).toBe('All 12 agents are shown.');
  await userEvent.click(loadMore());
  expect(cards()).toHaveLength(12);
  expect(line()).toBe('All 12 agents are shown.');
  expect(loadMore()).toBe(document.activeElement);
  await userEvent.click(screen.getByRole('button', { name: 'Read anew' }));
  expect(await screen.findByText('Showing 12 of 13 agents')).toBeTruthy();
});

describe('as rows', () => {
  const rows = () => screen.getAllByRole('row').slice(1);
  beforeEach(async () => void (await lazyAgentRows.load()));

  test('a list is a table without constant columns, in which each press shows twelve more and focuses the first of them', async () => {
    const agents = makeAgents(14).map((agent, index) => ({
      ...agent,
      pricingModel: index === 1 ? ('free' as const) : ('paid' as const),
      apiAccess: 'no' as const,
      rating: 0,
    }));
    render(<List />, { url: '/?view=rows', fetch: respondWith(200, agents) });
    await waitFor(() => expect(rows()).toHaveLength(12));
    const [header] = screen.getAllByRole('row');
    expect(
      within(header!)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Agent', 'Description', 'Terms', 'Actions']);
    const [description, terms] = within(rows()[0]!).getAllByRole('cell');
    expect(description?.textContent).toBe(agents[0]!.description);
    expect(terms?.textContent).toBe('Paid');
    await userEvent.click(loadMore());
    await waitFor(() => expect(rows()).toHaveLength(14));
    const link = within(rows()[12]!).getByRole('link', { name: 'Agent 13' });
    expect(link).toBe(document.activeElement);
    expect(link.getAttribute('href')).toBe(`/agent/${agents[12]!.id}`);
    expect(cards()).toHaveLength(0);
  });

  test('a line comes before the agents with some words of a search', async () => {
    const headers = { [FULL_MATCHES_HEADER]: '1' };
    render(<List />, { url: '/?q=otter+desk&view=rows', fetch: async () => Response.json(makeAgents(2), { headers }) });
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(rows()[1]!.textContent).toBe(SOME_WORDS);
  });
});

describe('a heading comes before the agents with some words of a search', () => {
  const found = (full: number, agents: Agent[]) => async () =>
    new Response(JSON.stringify(agents), { headers: { [FULL_MATCHES_HEADER]: String(full) } });
  const url = '/?q=otter+desk';
  const headings = async () => {
    await waitFor(() => expect(cards()).not.toHaveLength(0));
    return screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  };

  test('after those with all, also if more are shown', async () => {
    render(<List />, { url, fetch: found(2, makeAgents(14)) });
    expect((await headings()).slice(1, 4)).toEqual(['Agent 2', SOME_WORDS, 'Agent 3']);
    await userEvent.click(loadMore());
    await waitForCards(14);
    expect(nameLink(12)).toBe(document.activeElement);
    expect((await headings())[2]).toBe(SOME_WORDS);
  });

  test.each([
    ['all have all', 2, url],
    ['none has all', 0, url],
    ['they are in another order', 1, `${url}&sort=name`],
  ])('but not if %s', async (_case, full, path) => {
    render(<List />, { url: path, fetch: found(full, makeAgents(2)) });
    expect(await headings()).toEqual(['Agent 1', 'Agent 2']);
  });
});

test('a page past the last result that is counted leads to the next one', async () => {
  const agents = makeAgents(48);
  const next = toCursor(agents.at(-1)!, 'name');
  const headers = {
    [TOTAL_HEADER]: '10000',
    [TOTAL_BOUND_HEADER]: 'lower',
    [POSITION_HEADER]: '12001',
    Link: `</x?after=${next}>; rel="next"`,
  };
  const url = `/?q=otter&sort=name&after=${toCursor(makeAgent(), 'name')}`;
  render(<List />, { url, fetch: async () => Response.json(agents, { headers }) });
  expect(await screen.findByText('Showing 12,001–12,012 of 10,000+ agents')).toBeTruthy();
  expect(screen.getByText('Next')).toBeTruthy();
});

test('a page after which the list has ended says so, and leads to the first agents', async () => {
  const url = `/?after=${toCursor(makeAgent(), 'newest')}`;
  const headers = { [TOTAL_HEADER]: '3', [POSITION_HEADER]: '4' };
  render(<List />, { url, fetch: async () => Response.json([], { headers }) });
  await waitFor(() => expect(line()).toBe('The list ends before this page.'));
  expect(screen.getByRole('link', { name: 'Back to the first agents' }).getAttribute('href')).toBe('/');
});

describe('a list that failed', () => {
  const retry = () => screen.getByRole('button', { name: 'Try again' });
  const sentence = async () => (await screen.findByRole('alert')).textContent;
  const group = () => screen.getByRole('group', { name: 'Agents' });
  const lost: typeof fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  const never: typeof fetch = () => new Promise(() => {});
  const found = respondWith(200, makeAgents(2));

  /** Renders a list with one response per request. */
  function renderList(...answers: (typeof fetch)[]) {
    render(<List />, { fetch: (...call) => answers.shift()!(...call) });
    return { answersLeft: () => answers.length };
  }

  afterEach(() => void vi.restoreAllMocks());

  test('has a message and a Retry button, which moves the focus to the list', async () => {
    const { answersLeft } = renderList(respondWith(500, 'Something went wrong.'), lost, found);
    expect(await sentence()).toContain('The agents could not be loaded.');
    expect(line()).toBe('');
    expect(answersLeft()).toBe(2);

    await userEvent.click(retry());
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('could not be reached'));
    expect(document.activeElement).toBe(group());

    await userEvent.click(retry());
    expect(await screen.findByText('All 2 agents are shown.')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(group());
  });

  test('because the browser is offline is loaded when it is online again', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    renderList(lost, found);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(await sentence()).toContain('You seem to be offline.');
    onLine.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText('All 2 agents are shown.')).toBeTruthy();
  });

  test('for ten seconds has a message and a Retry button, which sends a new request', async () => {
    useFakeTimers();
    renderList(never, never, found);
    act(() => void vi.advanceTimersByTime(9_900));
    expect(screen.getAllByTestId('skeleton-card')).toHaveLength(6);
    act(() => void vi.advanceTimersByTime(200));
    expect(await sentence()).toContain('The registry is taking long to answer.');

    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await user.click(retry());
    expect(screen.getAllByTestId('skeleton-card')).toHaveLength(6);
    act(() => void vi.advanceTimersByTime(10_100));
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('All 2 agents are shown.')).toBeTruthy();
  });
});

test('the live region stays the same element from one list to another', async () => {
  const Search = () => {
    const { search } = useChosenList();
    return <button onClick={() => search('otter')}>Search</button>;
  };
  const answers = [respondWith(200, makeAgents(30)), respondWith(200, makeAgents(1))];
  render(
    <>
      <Search />
      <List />
    </>,
    { fetch: (...call) => answers.shift()!(...call) },
  );
  await screen.findByText('Showing 12 of 30 agents');
  await userEvent.click(loadMore());
  const status = screen.getByRole('status');
  await userEvent.click(screen.getByRole('button', { name: 'Search' }));
  await screen.findByText('The only agent is shown.');
  expect(screen.getByRole('status')).toBe(status);
  expect(status.textContent).toBe('The only agent is shown.');
});

describe('in a large directory', () => {
  const agents = makeAgents(60);
  let calls: string[];

  beforeEach(() => {
    calls = [];
  });

  /** Renders the list and shows all agents of the first page. */
  async function renderFirstPage(fetch: typeof globalThis.fetch) {
    render(<List />, { fetch, site: { isPaged: true } });
    expect(await screen.findByText('Showing 12 of 60 agents')).toBeTruthy();
    pressThrice();
    await waitForCards(48);
    expect(calls.splice(0)).toEqual(['GET /api/agents?limit=48']);
  }

  /** A fetch that responds with pages, and can be held back. */
  function makeGate() {
    const answer = respondWithPages(agents, calls);
    let gate: Promise<unknown> = Promise.resolve();
    const fetch: typeof globalThis.fetch = async (...call) => {
      const answered = answer(...call);
      await gate;
      return answered;
    };
    const hold = () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      gate = promise;
      const open = (settle: () => void) =>
        act(async () => {
          gate = Promise.resolve();
          settle();
        });
      return { release: () => open(resolve), fail: () => open(() => reject(new Error('Cut off'))) };
    };
    return { fetch, hold };
  }

  /** Presses the button and waits for the request. */
  async function readOn() {
    await userEvent.click(loadMore());
    await waitFor(() => expect(calls).toHaveLength(1));
  }

  test('the next page is loaded when all loaded agents are shown, with skeleton cards meanwhile, and its first card gets the focus', async () => {
    const { fetch, hold } = makeGate();
    await renderFirstPage(fetch);
    expect(line()).toBe('Showing 48 of 60 agents');
    const { release } = hold();
    await readOn();
    await userEvent.click(loadMore());
    expect(loadMore().getAttribute('aria-busy')).toBe('true');
    expect(loadMore().getAttribute('aria-disabled')).toBe('true');
    expect(cards()).toHaveLength(48);
    expect(screen.getAllByTestId('skeleton-card')).toHaveLength(12);

    await release();
    await waitForCards(60);
    expect(screen.queryAllByTestId('skeleton-card')).toHaveLength(0);
    expect(loadMore().getAttribute('aria-busy')).toBe('false');
    expect(line()).toBe('All 60 agents are shown.');
    expect(nameLink(48)).toBe(document.activeElement);

    await userEvent.click(loadMore());
    expect(calls).toEqual([`GET /api/agents?limit=48&after=${toCursor(agents[47]!, 'newest')}`]);
  });

  test('a page that failed leaves the cards, and is loaded on Retry; one that was refused is not reported as offline', async () => {
    const answer = respondWithPages(agents, calls);
    const answers = [answer, respondWith(503, 'Not now.'), answer];
    await renderFirstPage((...call) => answers.shift()!(...call));
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    onTestFinished(() => onLine.mockRestore());
    await userEvent.click(loadMore());
    expect((await screen.findByRole('alert')).textContent).toContain('More agents could not be loaded.');
    expect(cards()).toHaveLength(48);
    expect(line()).toBe('Showing 48 of 60 agents');
    expect(loadMore().getAttribute('aria-busy')).toBe('false');

    onLine.mockRestore();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitForCards(60);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(nameLink(48)).toBe(document.activeElement);
  });

  test.each([
    ['and its first card gets the focus', false],
    ['and the focus stays where the visitor has moved it', true],
  ])('a page that failed offline is loaded when the browser is online again, %s', async (_name, isElsewhere) => {
    const { fetch, hold } = makeGate();
    await renderFirstPage(fetch);
    const { fail } = hold();
    await readOn();
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await fail();
    expect((await screen.findByRole('alert')).textContent).toContain('You seem to be offline.');
    const elsewhere = nameLink(3);
    if (isElsewhere) elsewhere?.focus();
    onLine.mockRestore();
    act(() => void window.dispatchEvent(new Event('online')));
    await waitForCards(60);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(isElsewhere ? elsewhere : nameLink(48));
  });

  test('a list whose cursor is unknown starts with the first agent, with a link back', async () => {
    const after = crypto.randomUUID();
    render(<List />, { url: `/?after=${after}`, fetch: respondWithPages(agents, calls) });
    expect(await screen.findByText('Showing 12 of 60 agents')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to the first agents' }).getAttribute('href')).toBe('/');
    expect(calls).toEqual([`GET /api/agents?limit=48&after=${after}&position=true`, 'GET /api/agents?limit=48']);
  });

  test('a page that takes ten seconds has a message, and a visitor who moves the focus meanwhile keeps it', async () => {
    const { fetch, hold } = makeGate();
    await renderFirstPage(fetch);
    const { release } = hold();
    useFakeTimers();
    await readOn();
    act(() => void vi.advanceTimersByTime(10_000));
    expect(screen.getByRole('alert').textContent).toBe('The registry is taking long to answer.');
    const elsewhere = nameLink(3);
    elsewhere?.focus();
    await release();
    await waitForCards(60);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(elsewhere);
  });

  test('a press while the list is refetched waits, then loads the next page', async () => {
    const { fetch, hold } = makeGate();
    render(
      <>
        <ReadAnew />
        <List />
      </>,
      { fetch, site: { isPaged: true } },
    );
    await screen.findByText('Showing 12 of 60 agents');
    pressThrice();
    await waitForCards(48);
    calls.splice(0);
    const { release } = hold();
    await userEvent.click(screen.getByRole('button', { name: 'Read anew' }));
    await userEvent.click(loadMore());
    expect(calls).toEqual(['GET /api/agents?limit=48']);
    await release();
    await waitForCards(60);
    expect(calls).toEqual([
      'GET /api/agents?limit=48',
      `GET /api/agents?limit=48&after=${toCursor(agents[47]!, 'newest')}`,
    ]);
  });
});

test.each([
  [{ text: 'logo' }, 'Back to results for ‘logo’'],
  [{ text: 'logo', category: 'vision' }, 'Back to Computer Vision'],
  [{ text: '', pricing: ['free'] }, 'Back to results'],
  [{ text: '' }, 'All agents'],
] as const)('the way back to %j reads %s', (params, label) => {
  expect(describeWayBack(params, defaultCategories)).toBe(label);
});
