import { gzipSync } from 'node:zlib';
import { describeConnection, type Connection, type EntryFacts } from '@agent-registry/contracts';
import { hostileConnections } from '@agent-registry/contracts/testing/hostile-connections';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { hydrate, queries, render } from '../../testing/render.tsx';
import { Connect } from './Connect.tsx';

const key = { name: 'X-Api-Key', description: 'Key from your account', required: true, secret: true };
const remote: Connection = {
  kind: 'mcp',
  transport: 'streamable-http',
  url: 'https://tides.example.com/mcp',
  headers: [key],
};
const npm: Connection = { kind: 'mcp-package', registry: 'npm', identifier: '@example/tides', version: '1.4.0' };
const card = { kind: 'a2a', card: 'https://tides.example.com/.well-known/agent-card.json' } satisfies Connection;

afterEach(() => localStorage.clear());

function show(connections: Connection[], facts: Partial<EntryFacts> = {}) {
  const agent = makeAgent({ connections });
  const { queryKey } = queries.agents.facts.queryOptions({ id: agent.id });
  return render(<Connect agent={agent} />, { entries: [[queryKey, { monthlyViews: null, ...facts }]] });
}

test('connections that an older version stored are text and no link', () => {
  for (const { connection } of hostileConnections.filter(({ isWellFormed }) => isWellFormed)) {
    const { container, unmount } = show([connection as Connection]);
    expect(container.querySelectorAll('[href], pre')).toHaveLength(0);
    unmount();
  }
});

test('fixed values, arguments and what is left out of the description in MCP registries are shown', () => {
  const left = ['packages[1]: its transport is not stdio'];
  const given: Connection = {
    ...npm,
    environment: [{ ...key, name: 'TIDES_MODE', value: 'high' }],
    runtimeArguments: [{ type: 'named', name: '--mount', value: 'src=/' }],
    packageArguments: [
      { type: 'named', name: '--port', value: '8080' },
      { type: 'positional', valueHint: 'directory', isRequired: true },
      { type: 'named', name: '--depth', valueHint: '3' },
    ],
  };
  const { container } = show([given], {
    server: { name: 'com.example/tides', version: '1.4.0', left, deprecated: 'Use <b>2.0.0</b>' },
  });
  for (const text of [
    'Deprecated by its publisher. Use <b>2.0.0</b>',
    `Left out in MCP registries: ${left[0]}`,
    'With arguments: --mount src=/ --port 8080 <directory> [--depth <3>]',
    'TIDES_MODE: highKey from your accountfixed',
  ])
    expect(container.textContent).toContain(text);
  // With a mount no command is offered.
  expect(container.querySelectorAll('pre')).toHaveLength(0);
});

test('tools are texts of their server, at most 30 in a disclosure, with the day and the last change', () => {
  const hash = '0'.repeat(64);
  const names = ['<b>x</b>', ...Array.from({ length: 39 }, (_, index) => `tool_${index}`)];
  const offer = {
    address: describeConnection(remote),
    readAt: '2026-11-26T10:00:00.000Z',
    count: 40,
    hash,
    tools: names.map((name) => ({ name, description: '<img src=x>', isDestructive: true, hash })),
    changed: {
      connection: '',
      hash,
      added: ['<i>pay</i>'],
      removed: [],
      changed: ['tool_1'],
      at: '2026-11-20T10:00:00.000Z',
    },
  };
  const read = {
    address: describeConnection(card),
    readAt: offer.readAt,
    card: {
      bindings: ['JSONRPC 1.0'],
      skills: ['<u>Swim</u>'],
      signature: 'verified' as const,
      signedBy: 'tides.example.com',
      deviations: ['A2A 1.0: version is missing'],
    },
  };
  const { container } = show([remote, card], { offers: [offer, read] });
  const tools = container.querySelector('details ul');
  expect(tools?.children).toHaveLength(30);
  expect(tools?.closest('details')?.open).toBe(false);
  for (const text of [
    '40 tools, read Nov 26, 2026<b>x</b> (destructive)<img src=x>',
    '10 more',
    '2 changed on Nov 20, 2026: added <i>pay</i>; defined differently tool_1',
    'JSONRPC 1.0, skills: <u>Swim</u>, signed by tides.example.com, read Nov 26, 2026',
    'Deviates from A2A: A2A 1.0: version is missing',
  ])
    expect(container.textContent).toContain(text);
  expect(container.querySelectorAll('img, i, u')).toHaveLength(0);
});

test('the form of a package of npm for Windows is behind a word', async () => {
  const { container } = show([npm]);
  await userEvent.setup().click(screen.getByRole('tab', { name: 'Claude Code' }));
  const [form] = Array.from(container.querySelectorAll('details:not([open])'), ({ textContent }) => textContent);
  expect(form).toMatch(/^Windowsclaude mcp add .* -- cmd \/c npx -y "@example/);
});

test('each way is a tab with its own texts, and the chosen client is that of all ways and pages', async () => {
  const user = userEvent.setup();
  show([remote, { ...remote, transport: 'sse', url: 'https://tides.example.com/sse' }, npm, card]);
  const tab = (name: string | RegExp) => screen.getByRole('tab', { name });
  expect(screen.getAllByRole('tab', { name: /^(?:Remote|Package|Agent card)/ })).toHaveLength(4);
  const read = () => screen.getAllByRole('tabpanel').at(-1)?.textContent;
  expect(read()).toContain('"url": "https://tides.example.com/mcp"');
  await user.click(tab('JSON'));
  expect(read()).toContain('Add to the file of another client');
  await user.click(tab('Remote server SSE'));
  expect(tab('JSON').ariaSelected).toBe('true');
  expect(read()).toMatch(/-2": \{\s+"type": "sse"/);
  expect(screen.queryByRole('tab', { name: 'Codex' })).toBeNull();
  expect(tab('Package npm')).toBeTruthy();
  await user.click(tab('Agent card'));
  expect(screen.getByRole('link', { name: card.card }).getAttribute('href')).toBe(card.card);
});

test('ways that are alike have their addresses in their names', () => {
  show([remote, { ...remote, url: 'https://tides.example.com/eu' }, npm]);
  const names = screen.getAllByRole('tab', { name: /^(?:Remote|Package)/ }).map(({ textContent }) => textContent);
  expect(names).toEqual(['Remote server tides.example.com/mcp', 'Remote server tides.example.com/eu', 'Package npm']);
});

test('without scripts all ways and clients are in the page, of which they are at most 4 kB of HTML', () => {
  const agent = makeAgent({ connections: [remote, npm, card] });
  hydrate(<Connect agent={agent} />, (container) => {
    expect(container.querySelectorAll('pre')).toHaveLength(14);
    expect(container.textContent).toContain('@example/tides@1.4.0');
    expect(gzipSync(container.innerHTML).length).toBeLessThanOrEqual(4_096);
  });
});
