import type { Agent } from '@agent-registry/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { useAgentList } from '../../api/use-agent-list.ts';
import { makeAgent } from '../../testing/make-agent.ts';
import { answerWithPages } from '../../testing/paged-directory.ts';
import { answerWith, render } from '../../testing/render.tsx';
import { useApi } from '../../api/trpc.ts';
import { Results } from './Results.tsx';

const makeAgents = (count: number) =>
  Array.from({ length: count }, (_, index) => makeAgent({ name: `Agent ${index + 1}` }));
const cards = () => screen.queryAllByRole('article');
/** Waits until so many cards are there, which come one with each frame. */
const drawn = (count: number) => waitFor(() => expect(cards()).toHaveLength(count));
const loadMore = () => screen.getByRole('button', { name: 'Load More Agents' });
const line = () => screen.getByRole('status').textContent;

/** Lets a test pass time. What jsdom makes its frames with stays real: replaced while none is under way, it never makes another. */
function passTimeByHand() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
}

function List() {
  return <Results list={useAgentList({})} browseParams={{ text: '' }} />;
}

function renderResults(data: Agent[] | undefined, isFiltered = false) {
  const results = (agents = data) => (
    <Results
      list={{
        agents,
        total: agents?.length ?? 0,
        isExcerpt: false,
        correction: undefined,
        hasMore: false,
        isPending: !agents,
        error: null,
        retry: () => {},
        readMore: () => expect.fail('There is nothing more to read.'),
      }}
      browseParams={{ text: isFiltered ? 'otter' : '' }}
    />
  );
  const { rerender } = render(results());
  return { renderWith: (agents: Agent[]) => rerender(results(agents)) };
}

test('six skeletons stand in while the agents load, which are busy, not the line that says so', () => {
  renderResults(undefined);
  expect(screen.getAllByTestId('skeleton-card')).toHaveLength(6);
  expect(screen.getAllByTestId('skeleton-card')[0]?.closest('[aria-busy=true]')).not.toBeNull();
  expect(line()).toBe('Loading agents…');
  expect(screen.getByRole('status').closest('[aria-busy=true]')).toBeNull();
});

test.each([
  [false, 'No agents available.'],
  [true, 'No agents found matching your criteria.'],
])('no agents, filtered: %s, reads %j and offers no more', (isFiltered, text) => {
  renderResults([], isFiltered);
  expect(line()).toBe(text);
  expect(screen.queryByRole('button')).toBeNull();
});

test('each press shows twelve more and goes to the first of them, until all are shown', async () => {
  renderResults(makeAgents(30));
  expect(cards()).toHaveLength(12);
  expect(line()).toBe('Showing 12 of 30 agents');

  await userEvent.click(loadMore());
  await drawn(24);
  expect(line()).toBe('Showing 24 of 30 agents');
  expect(within(cards()[12]!).getByRole('link')).toBe(document.activeElement);

  await userEvent.click(loadMore());
  await drawn(30);
  expect(line()).toBe('All 30 agents are shown.');
  expect(within(cards()[24]!).getByRole('link')).toBe(document.activeElement);
});

test('presses that come before the cards of the last are there add up', async () => {
  renderResults(makeAgents(60));
  for (let press = 0; press < 3; press += 1) fireEvent.click(loadMore());
  await screen.findByText('Showing 48 of 60 agents');
  expect(cards().length).toBeLessThan(48);
  await drawn(48);
});

test('a press right after the last has had its effect goes on from there', async () => {
  renderResults(makeAgents(60));
  loadMore().click();
  // The effect comes in the next frame; what it changed may not be drawn yet.
  requestAnimationFrame(() => setTimeout(() => loadMore().click()));
  await drawn(36);
});

test('the button stays and does nothing when all agents are shown', async () => {
  const { renderWith } = renderResults(makeAgents(12));
  expect(line()).toBe('All 12 agents are shown.');
  await userEvent.click(loadMore());
  expect(cards()).toHaveLength(12);
  expect(line()).toBe('All 12 agents are shown.');
  expect(loadMore()).toBe(document.activeElement);
  renderWith(makeAgents(13));
  expect(line()).toBe('Showing 12 of 13 agents');
});

describe('a list that could not be read', () => {
  const retry = () => screen.getByRole('button', { name: 'Try again' });
  const sentence = async () => (await screen.findByRole('alert')).textContent;
  const group = () => screen.getByRole('group', { name: 'Agents' });
  const lost: typeof fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  const never: typeof fetch = () => new Promise(() => {});
  const found = answerWith(200, makeAgents(2));

  /** Shows a list that is answered with one after the other. */
  function renderList(...answers: (typeof fetch)[]) {
    render(<List />, { fetch: (...call) => answers.shift()!(...call) });
    return { answersLeft: () => answers.length };
  }

  afterEach(() => void vi.restoreAllMocks());

  test('says why, and is read on Try again, which hands the focus to the list', async () => {
    const { answersLeft } = renderList(answerWith(500, 'Something went wrong.'), lost, found);
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

  test('because the browser is offline is read when it no longer is', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    renderList(lost, found);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(await sentence()).toContain('You seem to be offline.');
    onLine.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText('All 2 agents are shown.')).toBeTruthy();
  });

  test('for ten seconds says so, and is asked for anew on Try again', async () => {
    passTimeByHand();
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

test('the line that is read out stays the same element from one list to another', async () => {
  const Lists = () => {
    const [text, setText] = useState('');
    return (
      <>
        <button onClick={() => setText('otter')}>Search</button>
        <Results list={useAgentList({ text })} browseParams={{ text }} />
      </>
    );
  };
  const answers = [answerWith(200, makeAgents(30)), answerWith(200, makeAgents(1))];
  render(<Lists />, { fetch: (...call) => answers.shift()!(...call) });
  await screen.findByText('Showing 12 of 30 agents');
  await userEvent.click(loadMore());
  const status = screen.getByRole('status');
  await userEvent.click(screen.getByRole('button', { name: 'Search' }));
  await screen.findByText('The only agent is shown.');
  expect(screen.getByRole('status')).toBe(status);
  expect(status.textContent).toBe('The only agent is shown.');
});

describe('of a large directory', () => {
  const agents = makeAgents(60);
  let calls: string[];

  beforeEach(() => {
    calls = [];
  });

  /** Renders the list, presses until all agents of the first page are shown, and forgets the calls so far. */
  async function renderFirstPage(fetch: typeof globalThis.fetch) {
    render(<List />, { fetch, site: { isPaged: true } });
    expect(await screen.findByText('Showing 12 of 60 agents')).toBeTruthy();
    for (let press = 0; press < 3; press += 1) await userEvent.click(loadMore());
    await drawn(48);
    expect(calls.splice(0)).toEqual(['GET /api/agents?limit=48']);
  }

  /** A fetch that answers with pages, at once but where it is held. */
  function makeGate() {
    const answer = answerWithPages(agents, calls);
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

  /** Presses, and waits until the next page is asked for. */
  async function readOn() {
    await userEvent.click(loadMore());
    await waitFor(() => expect(calls).toHaveLength(1));
  }

  test('the next page is read when all that was read is shown, and focus goes to its first card', async () => {
    await renderFirstPage(answerWithPages(agents, calls));
    expect(line()).toBe('Showing 48 of 60 agents');

    await userEvent.click(loadMore());
    await drawn(60);
    expect(calls).toEqual([`GET /api/agents?limit=48&after=${agents[47]?.id}`]);
    expect(line()).toBe('All 60 agents are shown.');
    expect(within(cards()[48]!).getByRole('link')).toBe(document.activeElement);

    await userEvent.click(loadMore());
    expect(calls).toHaveLength(1);
  });

  test('while a page is read the button is busy, and a second press does nothing', async () => {
    const { fetch, hold } = makeGate();
    await renderFirstPage(fetch);
    const { release } = hold();
    await readOn();
    await userEvent.click(loadMore());
    expect(loadMore().getAttribute('aria-busy')).toBe('true');
    expect(loadMore().getAttribute('aria-disabled')).toBe('true');
    expect(cards()).toHaveLength(48);

    await release();
    await drawn(60);
    expect(loadMore().getAttribute('aria-busy')).toBe('false');
    expect(calls).toHaveLength(1);
  });

  test('a page that could not be read leaves the cards, and is read on Try again', async () => {
    const { fetch, hold } = makeGate();
    await renderFirstPage(fetch);
    const { fail } = hold();
    await readOn();
    await fail();
    expect((await screen.findByRole('alert')).textContent).toContain('More agents could not be loaded.');
    expect(cards()).toHaveLength(48);
    expect(line()).toBe('Showing 48 of 60 agents');
    expect(loadMore().getAttribute('aria-busy')).toBe('false');

    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await drawn(60);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(within(cards()[48]!).getByRole('link')).toBe(document.activeElement);
  });

  test.each([
    ['by whoever still waits for it', false],
    ['for whoever is elsewhere by now, where the focus stays', true],
  ])('a page that the browser was offline for is read when it no longer is, %s', async (_name, isElsewhere) => {
    const { fetch, hold } = makeGate();
    await renderFirstPage(fetch);
    const { fail } = hold();
    await readOn();
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await fail();
    expect((await screen.findByRole('alert')).textContent).toContain('You seem to be offline.');
    const elsewhere = within(cards()[3]!).getByRole('link');
    if (isElsewhere) elsewhere.focus();
    onLine.mockRestore();
    act(() => void window.dispatchEvent(new Event('online')));
    expect(screen.getByRole('alert').textContent).not.toContain('offline');
    await drawn(60);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(isElsewhere ? elsewhere : within(cards()[48]!).getByRole('link'));
  });

  test('a page that was refused is not taken for one that the browser was offline for', async () => {
    const answers = [answerWithPages(agents, calls), answerWith(503, 'Not now.')];
    await renderFirstPage((...call) => answers.shift()!(...call));
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    onTestFinished(() => onLine.mockRestore());
    await userEvent.click(loadMore());
    expect((await screen.findByRole('alert')).textContent).toContain('More agents could not be loaded.');
  });

  test('after an agent that is not in it any more, the list is read anew and then on', async () => {
    const listed = [...agents];
    await renderFirstPage(answerWithPages(listed, calls));
    listed.splice(47, 1);
    await userEvent.click(loadMore());
    await drawn(59);
    const next = 'GET /api/agents?limit=48&after=';
    expect(calls).toEqual([next + agents[47]?.id, 'GET /api/agents?limit=48', next + agents[48]?.id]);
    expect(line()).toBe('All 59 agents are shown.');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('a list that is to begin after an agent that is not in it begins with the first, and there is a way back', async () => {
    const after = crypto.randomUUID();
    const Rest = () => <Results list={useAgentList({ after })} browseParams={{ text: '', after }} />;
    render(<Rest />, { fetch: answerWithPages(agents, calls) });
    expect(screen.getByRole('link', { name: 'Back to the first agents' }).getAttribute('href')).toBe('/');
    expect(await screen.findByText('Showing 12 of 60 agents')).toBeTruthy();
    expect(calls).toEqual([`GET /api/agents?limit=48&after=${after}`, 'GET /api/agents?limit=48']);
    for (let press = 0; press < 4; press += 1) fireEvent.click(loadMore());
    await drawn(60);
  });

  test('a page that takes ten seconds is told of', async () => {
    const { fetch, hold } = makeGate();
    await renderFirstPage(fetch);
    const { release } = hold();
    passTimeByHand();
    await readOn();
    act(() => void vi.advanceTimersByTime(10_000));
    expect(screen.getByRole('alert').textContent).toBe('The registry is taking long to answer.');
    await release();
    await drawn(60);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('who has moved on while a page was read is not taken back', async () => {
    const { fetch, hold } = makeGate();
    await renderFirstPage(fetch);
    const { release } = hold();
    await readOn();
    const elsewhere = within(cards()[3]!).getByRole('link');
    elsewhere.focus();
    await release();
    await drawn(60);
    expect(document.activeElement).toBe(elsewhere);
  });

  test('a press while the list is read anew waits for that and then reads on', async () => {
    const { fetch, hold } = makeGate();
    const Again = () => {
      const { queries } = useApi();
      return <button onClick={() => void queries.agents.invalidate()}>Read anew</button>;
    };
    render(
      <>
        <Again />
        <List />
      </>,
      { fetch, site: { isPaged: true } },
    );
    await screen.findByText('Showing 12 of 60 agents');
    for (let press = 0; press < 3; press += 1) await userEvent.click(loadMore());
    calls.splice(0);
    const { release } = hold();
    await userEvent.click(screen.getByRole('button', { name: 'Read anew' }));
    await userEvent.click(loadMore());
    expect(calls).toEqual(['GET /api/agents?limit=48']);
    await release();
    await drawn(60);
    expect(calls).toEqual(['GET /api/agents?limit=48', `GET /api/agents?limit=48&after=${agents[47]?.id}`]);
  });
});
