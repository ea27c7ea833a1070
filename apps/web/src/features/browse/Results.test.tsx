import type { Agent } from '@agent-registry/contracts';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { makeAgent } from '../../test/make-agent.ts';
import { answerWith, render } from '../../test/render.tsx';
import { trpc } from '../../trpc.ts';
import { Results } from './Results.tsx';

const makeAgents = (count: number) =>
  Array.from({ length: count }, (_, index) => makeAgent({ name: `Agent ${index + 1}` }));
const cards = () => screen.queryAllByRole('article');
const loadMore = () => screen.getByRole('button', { name: 'Load More Agents' });
const line = () => screen.getByRole('status').textContent;

function renderResults(data: Agent[] | undefined, isFiltered = false) {
  const results = (agents = data) => (
    <Results query={{ data: agents, isError: false, refetch: () => {} }} isFiltered={isFiltered} />
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
  const List = () => <Results query={trpc.agents.list.useQuery()} isFiltered={false} />;
  render(<List />, { fetch: (...call) => answers.shift()!(...call) });

  expect((await screen.findByRole('alert')).textContent).toContain('The agents could not be loaded.');
  expect(answers).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('All 2 agents are shown.')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
