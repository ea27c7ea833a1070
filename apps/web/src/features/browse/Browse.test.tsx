import { CORRECTION_HEADER, MATCHED_WORDS_HEADER } from '@agent-registry/contracts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { expect, test } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { render } from '../../testing/render.tsx';
import { Browse } from './Browse.tsx';

const agent = makeAgent({ name: 'Café Desk', description: 'A desk.', capabilities: ['desk work'] });

const noFacets = { total: 1, pricing: {}, apiAccess: {} };

/** Renders the results of a search that found agents by these words. */
async function search(text: string, words: string[], correction?: string): Promise<void> {
  const agents = [agent];
  const headers = new Headers({ [MATCHED_WORDS_HEADER]: words.map(encodeURIComponent).join(',') });
  if (correction !== undefined) headers.set(CORRECTION_HEADER, encodeURIComponent(correction));
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
  await search('cefe', ['cefe*', 'cafe*'], 'café');
  expect(readCorrection()).toBe('Showing results for ‘café’. Search instead for ‘cefe’');
  const link = screen.getByRole('link', { name: 'Search instead for ‘cefe’' });
  expect(link.getAttribute('href')).toBe('/?q=cefe&correct=false');
  expect(readMarks()).toEqual(['Café']);
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
        calls.push(input as string);
        return new Response('[]');
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
