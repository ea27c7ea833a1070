import {
  CORRECTION_HEADER,
  MATCHED_WORDS_HEADER,
  TOTAL_BOUND_HEADER,
  TOTAL_HEADER,
  UNDERSTOOD_HEADER,
} from '@agent-registry/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { expect, test } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { render, respondWith } from '../../testing/render.tsx';
import { Browse } from './Browse.tsx';

const agent = makeAgent({ name: 'Café Desk', description: 'A desk.', capabilities: ['desk work'] });

const noFacets = { total: 1, pricing: {}, apiAccess: {}, proved: {} };

/** Renders the results of a search that found agents by these words. */
async function search(
  text: string,
  words: string[],
  { correction, understood }: { correction?: string; understood?: string } = {},
): Promise<void> {
  const agents = [agent];
  const headers = new Headers({ [MATCHED_WORDS_HEADER]: words.map(encodeURIComponent).join(',') });
  if (correction !== undefined) headers.set(CORRECTION_HEADER, encodeURIComponent(correction));
  if (understood !== undefined) headers.set(UNDERSTOOD_HEADER, encodeURIComponent(understood));
  render(<Browse />, {
    url: `/?${new URLSearchParams({ q: text }).toString()}`,
    fetch: async (input) =>
      (input as string).startsWith('/api/facets')
        ? new Response(JSON.stringify(noFacets))
        : new Response(JSON.stringify(agents), { headers }),
  });
  await screen.findAllByRole('article');
}

const readStates = () => screen.getAllByRole('status').map((status) => status.textContent);
const readCorrection = () => document.querySelector('[aria-live]')?.textContent;
const readMarks = () => Array.from(document.querySelectorAll('mark'), (mark) => mark.textContent);

test('the words by which agents were found are highlighted in name, description and capabilities', async () => {
  await search('cafe desk', ['cafe', 'desk*']);
  expect(readMarks()).toEqual(['Café', 'Desk', 'desk', 'desk']);
  expect(readStates()).toEqual(['The only agent is shown.']);
});

test('a correction is shown', async () => {
  await search('cefe', ['cefe*', 'cafe*'], { correction: 'café' });
  expect(readCorrection()).toBe('Showing results for ‘café’. Search instead for ‘cefe’');
  const link = screen.getByRole('link', { name: 'Search instead for ‘cefe’' });
  expect(link.getAttribute('href')).toBe('/?q=cefe&correct=false');
  expect(readMarks()).toEqual(['Café']);
});

test('of a long text the words are shown that are searched for', async () => {
  await search('desk '.repeat(50), ['desk'], { understood: 'desk' });
  expect(readCorrection()).toBe('Your text is long, so its most telling words are searched for: desk');
});

test('what a search was understood to exclude and demand is shown, each part with a link to the search without it', async () => {
  await search('desk without Google', ['desk*'], { understood: 'desk -Google pricing:free "café desk"' });
  const tokens = screen.getByRole('list', { name: 'Active filters' });
  const links = within(tokens).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['not: Google ×', '/?q=desk+pricing%3Afree+%22caf%C3%A9+desk%22'],
    ['Pricing: free ×', '/?q=desk+-Google+%22caf%C3%A9+desk%22'],
    ['“café desk” ×', '/?q=desk+-Google+pricing%3Afree'],
    ['Clear all', '/?q=desk+caf%C3%A9+desk'],
  ]);
});

test('a search without operators has no tokens', async () => {
  await search('desk', ['desk*']);
  expect(screen.queryByRole('list', { name: 'Active filters' })).toBeNull();
});

test('nothing is highlighted in the list of all agents', async () => {
  await search('', []);
  expect(readMarks()).toEqual([]);
});

test('a category clears the search text, the selected one is cleared, and each list is requested once', async () => {
  const calls: string[] = [];
  const Address = () => <output aria-label="Address">{useLocation().search}</output>;
  render(
    <>
      <Browse />
      <Address />
    </>,
    {
      url: '/?q=otter',
      fetch: async (input) => {
        if ((input as string).startsWith('/api/facets')) return new Response(JSON.stringify(noFacets));
        if (input === '/api/stats') return new Response('', { status: 503 });
        calls.push(input as string);
        return new Response(JSON.stringify([makeAgent()]));
      },
    },
  );
  const requests = ['/api/search?q=otter'];
  for (const [name, search, request] of [
    ['Computer', '?category=vision', '/api/agents/category/vision'],
    ['Language', '?category=language', '/api/agents/category/language'],
    ['Language', '', '/api/agents'],
  ] as const) {
    requests.push(request);
    fireEvent.click(screen.getByRole('button', { name }));
    await waitFor(() => expect(calls).toEqual(requests));
    expect(screen.getByLabelText('Address').textContent).toBe(search);
  }
});

test('a switch shows the list as rows, and every other choice keeps them', async () => {
  render(<Browse />, { url: '/?category=vision&view=rows', fetch: respondWith(200, []) });
  const view = (name: string) => within(screen.getByRole('group', { name: 'View' })).getByRole('button', { name });
  expect([view('Cards'), view('Rows')].map((button) => button.getAttribute('aria-pressed'))).toEqual(['false', 'true']);
  expect([view('Cards'), view('Rows')].map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
  expect(view('Cards').getAttribute('href')).toBe('/?category=vision');
  expect(screen.getByRole('button', { name: 'Language' }).getAttribute('href')).toBe('/?category=language&view=rows');
  expect(document.querySelector<HTMLInputElement>('#filters input[name=view]')?.value).toBe('rows');
});

test('a search with more results than are counted says so where it has a count', async () => {
  const agents = Array.from({ length: 13 }, () => makeAgent());
  const headers = { [TOTAL_HEADER]: '10000', [TOTAL_BOUND_HEADER]: 'lower' };
  render(<Browse />, {
    url: '/?q=desk',
    fetch: async (input) =>
      (input as string).startsWith('/api/facets')
        ? Response.json({ ...noFacets, total: 10_000, totalBound: 'lower', pricing: { free: 4_000 } })
        : Response.json(agents, { headers }),
  });
  expect(await screen.findByText('10,000+ agents for ‘desk’ · best match first')).toBeTruthy();
  expect(readStates()).toEqual(['Showing 12 of 10,000+ agents']);
  expect(screen.getByText('Show 10,000+ agents')).toBeTruthy();
  expect(await screen.findByText('4,000+')).toBeTruthy();
  expect(screen.queryByText('0+')).toBeNull();
});
