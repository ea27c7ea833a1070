import { gzipSync } from 'node:zlib';
import type { Connection, EntryFacts } from '@agent-registry/contracts';
import { hostileConnections } from '@agent-registry/contracts/testing/hostile-connections';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queries, render } from '../../testing/render.tsx';
import { Connect } from './Connect.tsx';

const key = { name: 'X-Api-Key', description: 'Key from your account', required: true, secret: true };
const remote: Connection = {
  kind: 'mcp',
  transport: 'streamable-http',
  url: 'https://tides.example.com/mcp',
  headers: [key],
};
const npm: Connection = { kind: 'mcp-package', registry: 'npm', identifier: '@example/tides', version: '1.4.0' };
const card: Connection = { kind: 'a2a', card: 'https://tides.example.com/.well-known/agent-card.json' };

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

test('the name of the server, fixed values, arguments and what is left out of its description are shown', () => {
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
  const { container } = show([given], { server: { name: 'com.example/tides', version: '1.4.0', left } });
  for (const text of [
    'In MCP registries: com.example/tides',
    `Left out there: ${left[0]}`,
    'With arguments: --mount src=/ --port 8080 <directory> [--depth <3>]',
    'TIDES_MODE: high Key from your account',
  ])
    expect(container.textContent).toContain(text);
  // With a mount no command is offered.
  expect(container.querySelectorAll('pre')).toHaveLength(0);
});

test('the form of a package of npm for Windows is behind a word', () => {
  const { container } = show([npm]);
  const forms = Array.from(container.querySelectorAll('details details:not([open])'), ({ textContent }) => textContent);
  expect(forms.find((text) => text.includes('claude'))).toMatch(
    /^Windowsclaude mcp add .* -- cmd \/c npx -y "@example/,
  );
});

test('the addresses are plain text, one client is open, and all of it is at most 4 kB of HTML', () => {
  const { container } = show([remote, npm, card]);
  expect(screen.getByText(/^npm/).textContent).toBe('npm @example/tides@1.4.0');
  expect(container.querySelectorAll('details[open]')).toHaveLength(1);
  expect(gzipSync(container.innerHTML).length).toBeLessThanOrEqual(4_096);
});
