import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../../testing/render.tsx';
import { AgentDetails } from './AgentDetails.tsx';

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

test('the facts of its owner are its price, its API and its age', () => {
  render(<AgentDetails agent={makeAgent()} />);
  expect(facts().map(([label]) => label)).toEqual(['Pricing Model', 'API Access', 'Added']);
});
