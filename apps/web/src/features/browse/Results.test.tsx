import type { Agent } from '@agent-registry/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { useAgentList } from '../../agent-list.ts';
import { makeAgent } from '../../test/make-agent.ts';
import { answerWithPages } from '../../test/paged-directory.ts';
import { answerWith, render } from '../../test/render.tsx';
import { useApi } from '../../trpc.ts';
import { Results } from './Results.tsx';

const makeAgents = (count: number) =>
  Array.from({ length: count }, (_, index) => makeAgent({ name: `Agent ${index + 1}` }));
const cards = () => screen.queryAllByRole('article');
const loadMore = () => screen.getByRole('button', { name: 'Load More Agents' });
const line = () => screen.getByRole('status').textContent;

function List() {
  return <Results list={useAgentList({})} browsing={{ text: '' }} />;
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
        isError: false,
        refetch: () => {},
        readMore: () => expect.fail('There is nothing more to read.'),
      }}
      browsing={{ text: isFiltered ? 'otter' : '' }}
    />
  );
  const { rerender } = render(results());
  return { renderWith: (agents: Agent[]) => rerender(results(agents)) };
}

test('six skeletons stand in while the agents load', () => {
  renderResults(undefined);
  expect(screen.getAllByTestId('skeleton-card')).toHaveLength(6);
  expect(line()).toBe('Loading agents…');
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
  expect(cards()).toHaveLength(24);
  expect(line()).toBe('Showing 24 of 30 agents');
  expect(within(cards()[12]!).getByRole('link')).toBe(document.activeElement);

  await userEvent.click(loadMore());
  expect(cards()).toHaveLength(30);
  expect(line()).toBe('All 30 agents are shown.');
  expect(within(cards()[24]!).getByRole('link')).toBe(document.activeElement);
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

test('a list that could not be loaded is loaded on Try again', async () => {
  const answers = [answerWith(500, 'Something went wrong.'), answerWith(200, makeAgents(2))];
  render(<List />, { fetch: (...call) => answers.shift()!(...call) });

  expect((await screen.findByRole('alert')).textContent).toContain('The agents could not be loaded.');
  expect(answers).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('All 2 agents are shown.')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
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
    expect(cards()).toHaveLength(48);
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

  test('the next page is read when all that was read is shown, and focus goes to its first card', async () => {
    await renderFirstPage(answerWithPages(agents, calls));
    expect(line()).toBe('Showing 48 of 60 agents');

    await userEvent.click(loadMore());
    await waitFor(() => expect(cards()).toHaveLength(60));
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
    await userEvent.click(loadMore());
    await userEvent.click(loadMore());
    expect(loadMore().getAttribute('aria-busy')).toBe('true');
    expect(loadMore().getAttribute('aria-disabled')).toBe('true');
    expect(cards()).toHaveLength(48);

    await release();
    await waitFor(() => expect(cards()).toHaveLength(60));
    expect(loadMore().getAttribute('aria-busy')).toBe('false');
    expect(calls).toHaveLength(1);
  });

  test('a page that could not be read leaves the cards, and is read on Try again', async () => {
    const { fetch, hold } = makeGate();
    await renderFirstPage(fetch);
    const { fail } = hold();
    await userEvent.click(loadMore());
    await fail();
    expect((await screen.findByRole('alert')).textContent).toContain('More agents could not be loaded.');
    expect(cards()).toHaveLength(48);
    expect(line()).toBe('Showing 48 of 60 agents');
    expect(loadMore().getAttribute('aria-busy')).toBe('false');

    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(cards()).toHaveLength(60));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(within(cards()[48]!).getByRole('link')).toBe(document.activeElement);
  });

  test('who has moved on while a page was read is not taken back', async () => {
    const { fetch, hold } = makeGate();
    await renderFirstPage(fetch);
    const { release } = hold();
    await userEvent.click(loadMore());
    const elsewhere = within(cards()[3]!).getByRole('link');
    elsewhere.focus();
    await release();
    await waitFor(() => expect(cards()).toHaveLength(60));
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
    await waitFor(() => expect(cards()).toHaveLength(60));
    expect(calls).toEqual(['GET /api/agents?limit=48', `GET /api/agents?limit=48&after=${agents[47]?.id}`]);
  });
});
