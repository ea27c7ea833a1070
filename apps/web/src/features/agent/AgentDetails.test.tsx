import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readToday } from '../../components/use-today.ts';
import { render } from '../../testing/render.tsx';
import { AgentDetails } from './AgentDetails.tsx';

const facts = () => screen.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent]);

test('the page says when the entry was changed, and which website its owner was seen to control', () => {
  const website = 'https://example.com/product';
  const updatedAt = new Date(Date.parse(readToday()) - 3 * 86_400_000).toISOString();
  render(<AgentDetails agent={makeAgent({ website, updatedAt, websiteCheckedAt: '2026-11-23T10:00:00.000Z' })} />);
  expect(facts()).toContainEqual(['Updated', '3 days ago']);
  expect(facts()).toContainEqual(['Controls example.com', 'checked November 23, 2026']);
});

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

test('an entry that was not changed and whose owner is not known says neither', () => {
  render(<AgentDetails agent={makeAgent()} />);
  expect(facts().map(([label]) => label)).toEqual(['Pricing Model', 'API Access', 'Added']);
});
