import { createManagementKey, type Agent, type EntryFacts } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { keepKey } from '../../components/owner-keys.ts';
import { queries, render } from '../../testing/render.tsx';
import { KnownFacts } from './KnownFacts.tsx';

const ID = '11111111-1111-4111-8111-111111111111';
afterEach(() => localStorage.clear());

const known = () =>
  Array.from(
    screen.getByRole('region', { name: 'What is known about this entry' }).querySelectorAll('li'),
    (fact) => fact.textContent,
  );

/** Renders the facts of an agent with what the registry knows of it. */
function show(agent: Partial<Agent>, facts: Partial<EntryFacts> = {}) {
  const entry = { monthlyViews: null, ...facts };
  return render(<KnownFacts agent={makeAgent({ id: ID, ...agent })} />, {
    entries: [[queries.agents.facts.queryOptions({ id: ID }).queryKey, entry]],
  });
}

test.each([
  ['host', 'example.com'],
  ['page', 'this page of example.com'],
  [undefined, 'this page of example.com'],
] as const)('a proof of the kind %s is one of %s', (websiteProof, proved) => {
  show({ website: 'https://example.com/a', websiteCheckedAt: '2026-03-03T23:00:00.000Z', websiteProof });
  expect(known()[0]).toBe(`Owner proved ${proved} on March 3, 2026. Is this your agent?`);
});

test('a proof names the port it was made on where the website has another one', () => {
  show({ website: 'https://example.com:8443/', websiteCheckedAt: '2026-03-03T23:00:00.000Z', websiteProof: 'host' });
  expect(known()[0]).toBe('Owner proved example.com:443 on March 3, 2026. Is this your agent?');
});

test('an entry whose website nobody proved says so; one without a website leads its owner on only', () => {
  const { unmount } = show({ website: 'https://example.com/a' });
  expect(known()[0]).toBe('Not claimed: nobody has proved to own example.com yet. Is this your agent?');
  unmount();
  show({ websiteCheckedAt: '2026-03-03T23:00:00.000Z' });
  expect(known()).toEqual(['Is this your agent?', 'Report a problem']);
});

test.each([
  ['https://github.com/coinpaprika/mcp', 'Not claimed: nobody has proved to own github.com/coinpaprika/mcp yet.'],
  ['https://github.com/coinpaprika', 'Listed on github.com/coinpaprika.'],
  ['https://lobehub.com/agent/augur', 'Listed on lobehub.com.'],
])('of %s it says to whom it belongs', (website, sentence) => {
  show({ website });
  expect(known()[0]).toBe(`${sentence} Is this your agent?`);
});

test('the owner is neither asked whether the agent is theirs nor offered to report it, nor is a held one reported', () => {
  keepKey({ id: ID, name: 'Otter', key: createManagementKey() });
  const { unmount } = show({ website: 'https://example.com/' });
  expect(known()).toEqual([]);
  unmount();
  localStorage.clear();
  render(<KnownFacts agent={makeAgent({ id: ID })} isHeld />);
  expect(known()).toEqual(['Is this your agent?']);
});

test('an entry that was imported says from where', () => {
  const sources = [
    { attribution: 'MCP <b>Registry', licence: 'CC0-1.0', day: '2026-11-02' },
    { attribution: 'List of Otters', licence: 'CC-BY-4.0', day: '2026-11-03' },
  ];
  show({ website: 'https://example.com/a' }, { sources });
  expect(known()).toEqual([
    'Imported from MCP <b>Registry, not claimed (CC0-1.0, November 2, 2026)',
    'Also listed by List of Otters (CC-BY-4.0, November 3, 2026)',
    'Nobody has proved to own example.com yet. Is this your agent?',
    'Report a problem',
  ]);
});
