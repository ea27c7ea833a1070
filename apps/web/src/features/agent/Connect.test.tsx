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

test('the name of the server and the arguments of its source are shown', () => {
  const packages = [{ identifier: '@example/tides', arguments: ['--port 8080', '<directory>'] }];
  const server = { name: 'com.example/tides', version: '1.4.0', packages, deprecated: 'Use <b>2.0.0</b>' };
  const { container } = show([npm], { server });
  expect(container.textContent).toContain('Deprecated by its publisher. Use <b>2.0.0</b>');
  expect(container.textContent).toContain('In MCP registries: com.example/tides');
  expect(container.textContent).toContain('@example/tides with arguments of its source: --port 8080 <directory>');
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
