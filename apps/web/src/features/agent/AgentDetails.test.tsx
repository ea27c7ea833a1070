import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readToday } from '../../components/use-today.ts';
import { hydrate, render } from '../../testing/render.tsx';
import { AgentDetails } from './AgentDetails.tsx';

const ID = '11111111-1111-4111-8111-111111111111';

const facts = () => screen.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent]);

const known = () =>
  Array.from(
    screen.getByRole('region', { name: 'What is known about this entry' }).querySelectorAll('li'),
    (fact) => fact.textContent,
  );

test.each([
  ['host', 'example.com'],
  ['page', 'this page of example.com'],
  [undefined, 'this page of example.com'],
] as const)('a proof of the kind %s is one of %s', (websiteProof, proved) => {
  const websiteCheckedAt = '2026-03-03T23:00:00.000Z';
  render(<AgentDetails agent={makeAgent({ website: 'https://example.com/a', websiteCheckedAt, websiteProof })} />);
  expect(known()[0]).toBe(`Owner proved ${proved} on March 3, 2026`);
});

test('an entry whose website nobody proved says so; one without a website says nothing', () => {
  const { unmount } = render(<AgentDetails agent={makeAgent({ id: ID, website: 'https://example.com/a' })} />);
  expect(known()[0]).toBe('Not claimed: nobody has proved to own example.com yet');
  unmount();
  render(<AgentDetails agent={makeAgent({ websiteCheckedAt: '2026-03-03T23:00:00.000Z' })} />);
  expect(known()).toEqual(['Unchanged since it was added']);
});

test('the HTML of the server has the day of the last change, and the hydrated page its distance from today', () => {
  const updatedAt = `${readToday()}T00:00:00.000Z`;
  const day = new Date(updatedAt).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  let html: string | null = '';
  const element = <AgentDetails agent={makeAgent({ updatedAt })} />;
  const { container } = hydrate(element, (page) => (html = page.textContent));
  expect(html).toContain(`Updated ${day}`);
  expect(container.textContent).toContain('Updated today');
});

test('the page says when the entry was changed, and which website its owner was seen to control', () => {
  const website = 'https://example.com/product';
  const updatedAt = new Date(Date.parse(readToday()) - 3 * 86_400_000).toISOString();
  render(<AgentDetails agent={makeAgent({ website, updatedAt, websiteCheckedAt: '2026-11-23T10:00:00.000Z' })} />);
  expect(known()).toEqual(['Owner proved this page of example.com on November 23, 2026', 'Updated 3 days ago']);
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
