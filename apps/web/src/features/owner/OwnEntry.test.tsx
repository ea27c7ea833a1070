import { createManagementKey, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { render } from '../../testing/render.tsx';
import { OwnEntry } from './OwnEntry.tsx';

/** Renders the panel of an own agent, of which the registry knows some views. @returns the requests */
function show(agent: Agent, views: number[] = []) {
  const requests: string[] = [];
  const connection = { address: 'a2a https://example.com/card.json', result: 'other', tools: null, checkedAt: '' };
  const viewsByDay = views.map((count, index) => ({ day: `2026-11-0${index + 1}`, views: count }));
  render(<OwnEntry agent={agent} own={{ id: agent.id, name: agent.name, key: createManagementKey() }} />, {
    fetch: async (input, init) => {
      requests.push(`${init?.method} ${input as string}`);
      const reason = (input as string).endsWith('/connection-check') ? '' : 'status 500';
      const server = { name: 'example.registry/otter', version: '1', packages: [], refusal: 'Prove it' };
      return Response.json({ monthlyViews: 7, viewsByDay, server, connections: [{ ...connection, reason }] });
    },
  });
  return requests;
}

const steps = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
const linkTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

test('the owner reads what is done and gets to what is left', () => {
  const agent = makeAgent({
    description: 'x'.repeat(80),
    capabilities: ['one', 'two', 'three'],
    website: 'https://github.com/otters/mcp',
  });
  show(agent);
  expect(screen.getByRole('heading').textContent).toBe('Your entry · 2 of 5');
  expect(steps().slice(0, 2)).toEqual(['A description (done)', 'Three capabilities (done)']);
  expect(linkTo('Add example tasks')).toBe(`/agent/${agent.id}?manage=edit`);
  expect(linkTo('Prove github.com/otters/mcp')).toBe(`/agent/${agent.id}?manage=key`);
});

test.each([
  [null, 'Add a website'],
  ['https://lobehub.com/agent/otter', 'Listed on lobehub.com'],
  ['https://github.com/otters', 'Listed on github.com/otters'],
])('with the website %s the proof says what to do', (website, step) => {
  show(makeAgent({ website }));
  expect(steps().at(-1)).toContain(step);
  expect(screen.queryByRole('link', { name: /^Prove/ })).toBeNull();
});

test('few views are a number, many also a line, and connections are checked again', async () => {
  const agent = makeAgent({ website: 'https://example.com/' });
  const requests = show(agent, [2, 0, 18]);
  expect(await screen.findByText(/^20 views since Nov 1, 2026/)).toBeTruthy();
  const line = document.querySelector('polyline')?.getAttribute('points')?.split(' ') ?? [];
  // The highest point is that of the last day.
  const heights = line.map((point) => Number(point.split(',')[1]));
  expect(heights.indexOf(Math.min(...heights))).toBe(2);
  expect(screen.getByText('a2a https://example.com/card.json: status 500')).toBeTruthy();
  expect(screen.getByText('MCP server name: Prove it.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Check the connections again' }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('The connections were checked now.'));
  expect(screen.getByText('a2a https://example.com/card.json: it answers.')).toBeTruthy();
  expect(requests).toContain(`POST /api/agents/${agent.id}/connection-check`);
});

test('few views have no line', async () => {
  show(makeAgent(), [1, 18]);
  expect(await screen.findByText(/^19 views since Nov 1, 2026/)).toBeTruthy();
  expect(document.querySelector('polyline')).toBeNull();
});
