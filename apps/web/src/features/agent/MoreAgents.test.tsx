import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../../testing/render.tsx';
import { MoreAgents, toAlikeRequest } from './MoreAgents.tsx';

const names = () => screen.getAllByRole('article').map((card) => card.querySelector('h3')?.textContent);

test.each([
  [['Near', 'Nearer', 'Nearest'], ['Near', 'Nearer', 'Nearest'], ['/api/search']],
  [['Near'], ['Near', 'New', 'Newer'], ['/api/search', '/api/agents/category/vision']],
])('the closest agents %j are shown, then the newest, never the agent itself', async (closest, shown, called) => {
  const agent = makeAgent({ name: 'Otter', category: 'vision' });
  const near = closest.map((name) => makeAgent({ name }));
  const newest = [agent, ...near, ...['New', 'Newer'].map((name) => makeAgent({ name }))];
  const calls: string[] = [];
  render(<MoreAgents agent={agent} />, {
    fetch: async (input) => {
      const { pathname } = new URL(input as string, 'http://localhost');
      if (pathname === '/api/stats') return Response.json({ agentsPerCategory: { vision: 1_262 } });
      calls.push(pathname);
      return Response.json(pathname === '/api/search' ? [...near, agent] : newest);
    },
  });
  await screen.findByText(shown.at(-1) ?? '');
  expect(names()).toEqual(shown);
  expect(calls).toEqual(called);
  expect(await screen.findByText('closest of 1,262')).toBeTruthy();
});

test('a name with quotes, or a long one, makes a search that is valid', () => {
  const { q } = toAlikeRequest({ name: `"${'é'.repeat(100)}"`, category: 'vision' });
  expect(q).toBe(`like:" ${'é'.repeat(99)}" category:vision`);
});
