import { expect, test } from 'vitest';
import { makeAgent } from '../testing/make-agent.ts';
import { hashConnections, listAllowed, parseKept, toManagedSettingsPath, type AllowedServer } from './allow-list.ts';
import type { Connection } from './connection.ts';
import { buildSnippets, mcpClients } from './snippets.ts';

const url = 'https://tides.example.com/mcp?station=a%20c';
const npm: Connection = { kind: 'mcp-package', registry: 'npm', identifier: '@example/tides', version: '1.4.0' };
const key = { name: 'TIDES_KEY', description: 'Key', required: true, secret: true };
const image = 'ghcr.io/example/tides:1.4.0';

const allowedOf = (...connections: Connection[]) => listAllowed(makeAgent({ connections }));

/** How a server is configured that the snippets of Claude Code add: its address, or its command. */
function addedServers(connection: Connection): AllowedServer[] {
  const claude = mcpClients.filter(({ client }) => client === 'claude-code');
  const [snippet] = buildSnippets(makeAgent({ connections: [connection] }), claude);
  return [snippet?.text, snippet?.windows].flatMap((text = ''): AllowedServer[] => {
    const words = (text.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
    const serverUrl = words.find((word) => word.startsWith('https:'));
    if (serverUrl !== undefined) return [{ serverUrl }];
    return text === '' ? [] : [{ serverCommand: words.slice(words.indexOf('--') + 1) }];
  });
}

/** The documented rules: commands match exactly, every argument in order; in an address * stands for any text. */
function isAllowed(list: AllowedServer[], server: AllowedServer): boolean {
  return list.some((allowed) => {
    if ('serverCommand' in allowed) return JSON.stringify(allowed) === JSON.stringify(server);
    const parts = allowed.serverUrl.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
    return 'serverUrl' in server && new RegExp(`^${parts.join('.*')}$`).test(server.serverUrl);
  });
}

test.each<[string, Connection, AllowedServer[]]>([
  [
    'a remote',
    { kind: 'mcp', transport: 'streamable-http', url },
    [
      { serverUrl: url.replace('tides.', 'tide.') },
      { serverUrl: url.replace('=a', '=b') },
      { serverUrl: `${url}&more` },
      { serverUrl: url.replace('/mcp', '/mcp/x') },
      { serverUrl: url.replace('https:', 'http:') },
      { serverCommand: ['npx', '-y', url] },
    ],
  ],
  [
    'npm, also on Windows',
    npm,
    [
      { serverCommand: ['npx', '-y', '@example/tides@1.4.1'] },
      { serverCommand: ['npx', '-y', '@example/tides@1.4.0', '--more'] },
      { serverCommand: ['npx', '@example/tides@1.4.0', '-y'] },
      { serverCommand: ['cmd', '/c', 'npx', '-y', '@example/tides'] },
    ],
  ],
  ['PyPI', { ...npm, registry: 'pypi', identifier: 'tides' }, [{ serverCommand: ['uvx', 'tides'] }]],
  ['NuGet', { ...npm, registry: 'nuget', identifier: 'Tides' }, [{ serverCommand: ['dnx', 'Tides@1.4.0'] }]],
  [
    'an image',
    { ...npm, registry: 'oci', identifier: image, version: undefined, environment: [key] },
    [{ serverCommand: ['docker', 'run', '-i', '--rm', '-v', '/:/host', image] }],
  ],
])('what the snippets add is allowed, and nothing else: %s', (_case, connection, others) => {
  const { servers, isWhole } = allowedOf(connection);
  const added = addedServers(connection);
  expect([isWhole, added.length]).toEqual([true, servers.flat().length]);
  for (const server of added) expect([server, isAllowed(servers.flat(), server)]).toEqual([server, true]);
  for (const server of others) expect([server, isAllowed(servers.flat(), server)]).toEqual([server, false]);
});

test.each<[string, Connection]>([
  ['an address that stands for others', { kind: 'mcp', transport: 'sse', url: 'https://tides.example.com/*' }],
  ['a host that an older version stored', { kind: 'mcp', transport: 'sse', url: 'https://*.example.com/mcp' }],
  ['a file that a client opens', { ...npm, registry: 'mcpb', identifier: 'https://github.com/a/mcp/releases/x' }],
])('%s is left out, and other servers of its entry stay', (_case, connection) => {
  expect(allowedOf(connection)).toEqual({ servers: [], isWhole: false });
  const { servers, isWhole } = allowedOf(connection, npm);
  expect([servers.length, isWhole]).toEqual([1, false]);
});

test('a hash is that of the JSON by RFC 8785, whatever the order of members', async () => {
  // printf '[{"card":"https://a.example/é","kind":"a2a"}]' | sha256sum
  const hash = '674990aab53d65a1';
  expect(await hashConnections([{ kind: 'a2a', card: 'https://a.example/é' }])).toBe(hash);
  expect(await hashConnections([{ card: 'https://a.example/é', kind: 'a2a' }])).toBe(hash);
  const kept = [
    { id: crypto.randomUUID(), hash },
    { id: crypto.randomUUID(), hash: '0123456789abcdef' },
  ];
  const path = toManagedSettingsPath(kept);
  expect(parseKept(new URL(path, 'https://x.example').searchParams.get('keep')!)).toEqual(kept);
});
