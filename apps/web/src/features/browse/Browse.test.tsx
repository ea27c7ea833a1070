import { CORRECTION_HEADER, MATCHED_WORDS_HEADER } from '@agent-registry/contracts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { render } from '../../testing/render.tsx';
import { Browse } from './Browse.tsx';

const agent = makeAgent({ name: 'Café Desk', description: 'A desk.', capabilities: ['desk work'] });

/** Renders the results of a search that found agents by these words. */
async function search(text: string, words: string[], correction?: string): Promise<void> {
  const agents = [agent];
  const headers = new Headers({ [MATCHED_WORDS_HEADER]: words.map(encodeURIComponent).join(',') });
  if (correction !== undefined) headers.set(CORRECTION_HEADER, encodeURIComponent(correction));
  render(<Browse />, {
    url: `/?${new URLSearchParams({ q: text }).toString()}`,
    fetch: async (input) =>
      (input as string).startsWith('/api/facets')
        ? new Response(JSON.stringify({ total: agents.length, pricing: {}, apiAccess: {} }))
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
