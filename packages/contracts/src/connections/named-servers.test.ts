import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeAgent } from '../testing/make-agent.ts';
import { findHeaderFault, findVariableFault, isSafeConnection } from './connection-faults.ts';
import { inputsOf, type Connection, type ConnectionInput } from './connection.ts';
import { moreMcpClients } from './more-snippets.ts';
import { nameServers, toEntrySlug, type NamedEntry } from './named-servers.ts';
import { buildSnippets, mcpClients, type Snippet } from './snippets.ts';

const clients = [...mcpClients, ...moreMcpClients];
const ids = ['3f2b8c1e', 'deadbeef', '00000000', '12345678'].map((start) => `${start}-0000-4000-8000-000000000000`);
const hostileNames = [
  ['OpenAI', 'Github', 'NODE', '3D', 'Tides', 'tides', 'TIDES!', '-y', '--call', '__proto__', 'constructor', '潮汐'],
  ['天气', 'Tides Вода', 'Tides Море', '🌊', '42', 'Tides api key', 'tides_authorization', 'Tides 2', 'deadbeef'],
  ['Tides 3f2b8c1e', 'Tides 3f2b8c1e 2', 'Tides 3f2b8c1e authorization', 'Tides deadbeef'],
  [`${'x'.repeat(28)} 3f2b8c1e`],
].flat();
const hostileHeaders = [
  'Authorization',
  'OpenAI-API-Key',
  'Github-Token',
  'Token',
  'Key',
  'Api-Key',
  'X--Key',
  'X-Key',
];
const hostileVariables = ['OPENAI_API_KEY', 'GITHUB_TOKEN', 'A_B', 'A__B', 'AUTHORIZATION', 'AWS_SECRET_ACCESS_KEY'];

const ask = (names: readonly string[]): ConnectionInput[] =>
  names.map((name) => ({ name, description: 'Key', required: true, secret: true }));
const address = 'https://tides.example.com/mcp';

/** Connections of each kind and registry that ask for headers and variables of these names. */
function makeConnections(headers: readonly string[], variables: readonly string[]): Connection[] {
  const asked = { environment: ask(variables) };
  return [
    { kind: 'a2a', card: address },
    { kind: 'mcp', transport: 'streamable-http', url: address, headers: ask(headers) },
    { kind: 'mcp', transport: 'streamable-http', url: `${address}?a=1&b=2`, headers: ask(headers.slice(0, 1)) },
    { kind: 'mcp', transport: 'sse', url: `${address}/sse`, headers: ask(headers) },
    { kind: 'mcp', transport: 'streamable-http', url: `${address}/%20%20` },
    { kind: 'mcp-package', registry: 'npm', identifier: '@example/tides', version: '1.4.0', ...asked },
    { kind: 'mcp-package', registry: 'pypi', identifier: 'tides', version: '1.4.0', ...asked },
    { kind: 'mcp-package', registry: 'nuget', identifier: 'Tides', version: '1.4.0', ...asked },
    { kind: 'mcp-package', registry: 'oci', identifier: 'ghcr.io/example/tides:1.4.0', ...asked },
  ];
}

/** All that a snippet says, without the escapes of links. */
function decode({ text, href = '', windows = '' }: Snippet): string {
  const { searchParams } = new URL(href || 'https://example.com');
  const config = searchParams.get('config');
  return [text, windows, decodeURIComponent(href), config === null ? '' : atob(config)].join('\n');
}

const matches = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found);

/** The names under which a client keeps a server. */
function serversOf(snippet: Snippet): string[] {
  return [
    ...matches(snippet.text, /^\{\n {2}"\w+": \{\n {4}"([^"]*)": \{/g),
    ...matches(snippet.text, /^\[mcp_servers\.([^\]]*)\]/g),
    ...matches(snippet.text, /^extensions:\n {2}([^:]*):/g),
    ...matches(snippet.text, /^code --add-mcp '\{"name":"([^"]*)"/g),
    ...matches(snippet.text, /^\w+ mcp add (?:--(?:env|header|transport) (?:"[^"]*"|\S+) )*(\S+)/g),
    ...matches(snippet.href ?? '', /[?&](?:name|id)=([^&]*)/g),
    ...matches(decodeURIComponent(snippet.href ?? ''), /^vscode:mcp\/install\?\{"name":"([^"]*)"/g),
  ];
}

/** The variables and inputs that a client looks up. */
function readsOf(text: string): string[] {
  return [
    ...matches(text, /\$\{(?:env:|input:)?([^}]*)\}/g),
    ...matches(text, /\$(?!\{)(\w*)/g),
    ...matches(text, /(?:--bearer-token-env-var |bearer_token_env_var = ")(\w*)/g),
    ...matches(matches(text, /env_http_headers = \{([^}]*)\}/g).join(), /= "([^"]*)"/g),
    ...matches(text, /[?&]env=([^&=]*)/g),
    ...matches(text, /"id": ?"([^"]*)"/g),
  ];
}

/** The variables that docker passes on. */
const passedOn = (text: string) => matches(text, /(?<![\w-])-e(?:",\s*"| )(\w+)/g);

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

function checkEntries(entries: readonly NamedEntry[]): void {
  const named = entries.flatMap(nameServers);
  const inputs = named.flatMap((server) => server.inputs);
  expect(repeated(named.map(({ name }) => name))).toEqual([]);
  expect(repeated(inputs.map(({ inputId }) => inputId))).toEqual([]);
  expect(repeated(inputs.map(({ variable }) => variable))).toEqual([]);
  expect(named.filter(({ name }) => !/^[a-z\d][a-z\d-]{0,39}$/.test(name))).toEqual([]);
  const snippets = entries.flatMap((entry) => {
    const own = buildSnippets(entry, clients);
    expect(own.flatMap((snippet) => findFaults(entry, decode(snippet)))).toEqual([]);
    return own;
  });
  const kept = snippets.flatMap((one) => Array.from(new Set(serversOf(one)), (server) => `${one.client} ${server}`));
  expect(repeated(kept)).toEqual([]);
  // Its connectors have names that their users type.
  const nameless = snippets.filter((one) => serversOf(one).length === 0);
  expect(nameless.filter(({ client }) => client !== 'claude-desktop')).toEqual([]);
  const commands = snippets.filter(({ place }) => place === 'Run in a terminal');
  expect(commands.filter(({ text }) => /&|%.*%/.test(text))).toEqual([]);
}

/** The names in a snippet that are not the registry's where it makes a client read something. */
function findFaults({ id, connections = [] }: NamedEntry, said: string): string[] {
  const signs = id.slice(0, 8);
  const variable = `[A-Z][A-Z\\d_]*_${signs.toUpperCase()}_(?:[2-8]_)?[A-Z][A-Z\\d_]*`;
  const form = new RegExp(`^(?:${variable}|[a-z\\d-]+-${signs}-[a-z\\d-]+)$`);
  const reads = readsOf(said).filter((read) => !form.test(read));
  if (!/\b(?:npx|uvx|dnx|docker)\b/.test(said)) return reads;
  // What a package reads is only a key, beside a placeholder or an input.
  const names = new Set(connections.flatMap(inputsOf).map(({ name }) => name));
  const values = Array.from(said.matchAll(/"([\w-]+)(?:": ?"|=)([^"]*)"/g)).filter(([, name = '']) => names.has(name));
  const wrong = values.filter(([, , value = '']) => !/^(?:YOUR_|\$\{input:)/.test(value)).map(([text]) => text);
  const given = new Set(values.map(([, name]) => name));
  return [...reads, ...wrong, ...passedOn(said).filter((name) => !given.has(name))];
}

describe('No client looks up what a stranger named', () => {
  test('entries of all names, each by two owners', () => {
    const connections = makeConnections(hostileHeaders, hostileVariables);
    expect(connections.every(isSafeConnection)).toBe(true);
    for (const name of hostileNames) {
      checkEntries(ids.slice(0, 2).map((id) => makeAgent({ id, name, connections })));
    }
    checkEntries(
      hostileNames.slice(0, ids.length).map((name, index) => makeAgent({ id: ids[index]!, name, connections })),
    );
  });

  test('a name that continues that of another entry', () => {
    const names = ['Tides', 'Tides Authorization', 'Tides 3f2b8c1e Authorization', 'Tides 3f2b8c1e 2 Authorization'];
    const headers = ['Authorization', 'Deadbeef-Authorization', 'X-00000000-Token'];
    checkEntries(
      names.map((name, index) =>
        makeAgent({ id: ids[index]!, name, connections: makeConnections(headers, ['DEADBEEF']) }),
      ),
    );
  });

  const name = fc.oneof(fc.constantFrom(...hostileNames), fc.string({ unit: 'binary', maxLength: 50 }));
  const unique = { selector: (given: string) => given.toLowerCase(), maxLength: 4 };
  const headers = fc.uniqueArray(
    fc
      .oneof(fc.constantFrom(...hostileHeaders), fc.stringMatching(/^[A-Za-z][A-Za-z\d-]{0,12}$/))
      .filter((each) => !findHeaderFault(each)),
    unique,
  );
  const variables = fc.uniqueArray(
    fc
      .oneof(fc.constantFrom(...hostileVariables), fc.stringMatching(/^[A-Z][A-Z\d_]{0,12}$/))
      .filter((each) => !findVariableFault(each)),
    unique,
  );
  const entries = fc.uniqueArray(fc.record({ id: fc.uuid(), name, headers, variables }), {
    selector: ({ id }) => id.slice(0, 8),
    minLength: 2,
    maxLength: 4,
  });

  test('any entries', () => {
    fc.assert(
      fc.property(entries, (given) => {
        checkEntries(
          given.map(({ headers, variables, ...entry }) =>
            makeAgent({ ...entry, connections: makeConnections(headers, variables) }),
          ),
        );
      }),
      { numRuns: 15 },
    );
  });
});

test.each<[string, string | null, string]>([
  ['Front Desk', null, 'front-desk'],
  ['Café – Müller!', null, 'cafe-muller'],
  [`${'a'.repeat(39)} b`, null, 'a'.repeat(39)],
  ['-y', null, 'y'],
  ['3D', null, '3d'],
  ['潮汐', 'https://www.tides.example.com/', 'tides'],
  ['2026', 'https://mcp.example.com/', 'example'],
  ['潮汐', null, 'agent'],
])('The slug of %s on %s', (name, website, slug) => {
  expect(toEntrySlug({ name, website }, 40)).toBe(slug);
});

test('A name without Latin letters takes the label of the host that is connected to', () => {
  const [server] = nameServers(
    makeAgent({ id: ids[0]!, name: '潮汐', website: null, connections: makeConnections([], []) }),
  );
  expect(server?.name).toBe('tides-3f2b8c1e');
});
