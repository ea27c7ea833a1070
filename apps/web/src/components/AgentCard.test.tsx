import { describeDay } from '@agent-registry/contracts';
import { fireEvent, screen, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { expect, test } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { render } from '../testing/render.tsx';
import { AgentCard } from './AgentCard.tsx';

const capabilities = ['one', 'two', 'three', 'four', 'five'];
const listCapabilities = () =>
  Array.from(document.querySelectorAll('article ul:not([aria-label]) > li'), (item) => item.textContent);

test('three capabilities are shown, and the number of the rest', () => {
  render(<AgentCard agent={makeAgent({ capabilities })} />);
  expect(listCapabilities()).toEqual(['one', 'two', 'three+2']);
  expect(screen.getByRole('button', { name: '+2 more: four, five' })).toBeTruthy();
});

test('three capabilities have no rest', () => {
  render(<AgentCard agent={makeAgent({ capabilities: capabilities.slice(0, 3) })} />);
  expect(listCapabilities()).toEqual(['one', 'two', 'three']);
});

test('an agent without capabilities has no list of them', () => {
  render(<AgentCard agent={makeAgent()} />);
  expect(listCapabilities()).toEqual([]);
});

test.each([
  [0, 0, '0.0', '(0 reviews)', 'Nobody has reviewed it yet'],
  [4, 12, '4.0', '(12 reviews)', 'From an import by the operator'],
])('a rating of %d by %d is %s %s, with the tooltip %j', (rating, reviewCount, shownRating, shownReviews, tooltip) => {
  render(<AgentCard agent={makeAgent({ rating, reviewCount })} />);
  expect(screen.getByText(shownRating)).toBeTruthy();
  expect(screen.getByText(shownReviews).closest<HTMLElement>('[data-tooltip]')?.dataset.tooltip).toBe(tooltip);
});

test('the card is labelled with the name of its agent, and links to its page', () => {
  const agent = makeAgent({ name: 'Otter', category: 'vision' });
  render(<AgentCard agent={agent} />);
  const card = within(screen.getByRole('article', { name: 'Otter' }));
  expect(card.getByText('Computer Vision')).toBeTruthy();
  expect(card.getByRole('link', { name: 'Otter' }).getAttribute('href')).toBe(`/agent/${agent.id}`);
  expect(card.getByRole('link', { name: 'View Details →' }).getAttribute('href')).toBe(`/agent/${agent.id}`);
});

test.each([
  ['free', 'yes', ['Free', 'API']],
  ['enterprise', 'planned', ['Enterprise', 'API Planned']],
  ['paid', 'no', ['Paid']],
] as const)('price %s and API %s read %s', (pricingModel, apiAccess, terms) => {
  render(<AgentCard agent={makeAgent({ pricingModel, apiAccess })} />);
  const { textContent } = screen.getByRole('article');
  expect(textContent).toContain(terms.map((term) => `· ${term} `).join(''));
  if (apiAccess === 'no') expect(textContent).not.toContain('API');
});

test('a long description is cut at a word', () => {
  render(<AgentCard agent={makeAgent({ description: 'otter '.repeat(60) })} />);
  const shown = screen.getByText(/^otter/).textContent;
  expect(shown).toMatch(/ otter…$/);
  expect(shown.length).toBeLessThanOrEqual(200);
});

test('on a host of many people the website is shown with the account', () => {
  render(<AgentCard agent={makeAgent({ website: 'https://github.com/coinpaprika/mcp' })} />);
  expect(screen.getByText('github.com/coinpaprika')).toBeTruthy();
});

test('the website is shown by its host, with the month of the entry and the ways to connect', () => {
  const createdAt = new Date().toISOString();
  const connections = [{ kind: 'a2a', card: 'https://example.com/card.json' } as const];
  render(<AgentCard agent={makeAgent({ website: 'https://www.example.com:8080/a?b#c', createdAt, connections })} />);
  expect(screen.getByText('example.com:8080')).toBeTruthy();
  const [month, , year] = describeDay(createdAt, 'medium').split(' ');
  expect(screen.getByText(`${month} ${year}`).getAttribute('datetime')).toBe(createdAt);
  expect(screen.getByText(/^New/)).toBeTruthy();
  expect(screen.getByText('A2A')).toBeTruthy();
});

test('a click on any text opens the agent, unless it ends a selection', async () => {
  const agent = makeAgent({ description: 'Counts otters.' });
  const Path = () => useLocation().pathname;
  render(
    <>
      <Path />
      <AgentCard agent={agent} />
    </>,
  );
  const text = screen.getByText('Counts otters.');
  getSelection()?.selectAllChildren(text);
  fireEvent.click(text);
  expect(screen.getByText('/')).toBeTruthy();
  getSelection()?.removeAllRanges();
  fireEvent.click(text);
  expect(screen.getByText(`/agent/${agent.id}`)).toBeTruthy();
});

test('a card has a tick with a tooltip where the owner proved to control the website', () => {
  const proved = { website: 'https://www.example.com/a', websiteCheckedAt: '2026-03-03T23:00:00.000Z' };
  const { unmount } = render(<AgentCard agent={makeAgent({ ...proved, websiteProof: 'host' })} />);
  const tick = screen.getByRole('img', { name: 'Owner proved www.example.com' });
  expect(tick.dataset.tooltip).toBe('Owner proved www.example.com');
  unmount();
  render(<AgentCard agent={makeAgent({ website: proved.website })} />);
  render(<AgentCard agent={makeAgent({ websiteCheckedAt: proved.websiteCheckedAt })} />);
  expect(screen.queryByRole('img', { name: /proved/ })).toBeNull();
});
