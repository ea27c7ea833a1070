import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';
import { queries, render } from '../../testing/render.tsx';
import { AgentDetails } from './AgentDetails.tsx';
import { lazyKnownFacts } from './lazy-components.ts';

// As the server renders it.
beforeAll(async () => void (await lazyKnownFacts.load()));

const facts = () => screen.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent]);

test('the page has the example tasks of an agent, and no section without any', () => {
  const exampleTasks = ['Find me a table for four on Friday.', 'Call me back, please.'];
  const section = () => screen.queryByRole('heading', { name: 'What it can do for you' });
  const { unmount } = render(<AgentDetails agent={makeAgent({ exampleTasks })} />);
  expect(Array.from(section()!.parentElement!.querySelectorAll('li'), (item) => item.textContent)).toEqual(
    exampleTasks,
  );
  unmount();
  render(<AgentDetails agent={makeAgent()} />);
  expect(section()).toBeNull();
});

test.each([
  [4_321, [['Views this month', '4,321']]],
  [null, []],
])('the facts are price, API, age and, of %s, the views of a month', (monthlyViews, views) => {
  const agent = makeAgent({ pricingModel: 'paid', apiAccess: 'planned', createdAt: '2026-03-03T23:00:00.000Z' });
  render(<AgentDetails agent={agent} />, {
    entries: [[queries.agents.facts.queryOptions({ id: agent.id }).queryKey, { monthlyViews }]],
  });
  expect(facts()).toEqual([
    ['Pricing Model', 'Paid'],
    ['API Access', 'Not Available planned'],
    ['Added', 'March 3, 2026'],
    ['Updated', 'Unchanged since'],
    ...views,
  ]);
});

test('an agent that only its owner sees has no badge, and no code that reads it', () => {
  const { unmount } = render(<AgentDetails agent={makeAgent()} />);
  expect(screen.getByRole('button', { name: 'Badge' })).toBeTruthy();
  unmount();
  render(<AgentDetails agent={makeAgent()} isHeld />);
  expect(screen.queryByRole('button', { name: 'Badge' })).toBeNull();
  expect(screen.queryByText('Read this entry from a program')).toBeNull();
});

test('facts come before the code in the order of the page', () => {
  render(<AgentDetails agent={makeAgent()} />);
  const code = screen.getByText('Read this entry from a program');
  for (const before of [screen.getByText('Pricing Model'), screen.getByText('What is known about this entry')]) {
    expect(before.compareDocumentPosition(code)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  }
});
