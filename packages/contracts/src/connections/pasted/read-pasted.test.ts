import { expect, test } from 'vitest';
import { MAX_PASTED_LENGTH, readPasted } from './read-pasted.ts';
import { writeConnections } from '../connection-text.ts';
import type { Connection } from '../connection.ts';

const SECRET = 'sk-live-Zx81secret/+=';
const json = (value: unknown) => JSON.stringify(value, null, 2);
const remote = 'mcp https://a.example.com/mcp';
const withHeader = `${remote}\n- X-Api-Key`;
const packaged = 'npm @example/tides@1.2.3';
const withVariable = `${packaged}\n- TIDES_KEY`;
const stdio = { command: 'npx', args: ['-y', '@example/tides@1.2.3', '--key', SECRET, `--token=${SECRET}`, SECRET] };
const http = { url: 'https://a.example.com/mcp', headers: { 'X-Api-Key': SECRET } };
const serverJson = {
  name: 'com.example/tides',
  description: 'Tides',
  version: '1.0.0',
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://a.example.com/mcp',
      headers: [{ name: 'X-Api-Key', description: 'Key', isRequired: true, isSecret: true, value: SECRET }],
    },
  ],
  packages: [
    {
      registryType: 'npm',
      identifier: '@example/tides',
      version: '1.2.3',
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: SECRET }],
      environmentVariables: [{ name: 'TIDES_KEY', isRequired: true, isSecret: true, default: SECRET }],
    },
  ],
};

/** What people have, and the connections in it. Each with a secret where the construct can have one. */
const constructs: [name: string, text: string, read: string][] = [
  ['an address', 'https://a.example.com/mcp', remote],
  ['an address without a scheme', 'a.example.com/mcp', remote],
  ['an address of SSE', 'https://a.example.com/sse', 'mcp sse https://a.example.com/sse'],
  ['a card', 'https://a.example.com/agent-card.json', 'a2a https://a.example.com/agent-card.json'],
  ['an older card', 'https://a.example.com/agent.json', 'a2a https://a.example.com/agent.json'],
  ['a skill', 'https://a.example.com/SKILL.md', 'skill https://a.example.com/SKILL.md'],
  ['a packed skill', 'https://a.example.com/tides.zip', 'skill zip https://a.example.com/tides.zip'],
  ['OpenAPI', 'https://a.example.com/openapi.yaml', 'openapi https://a.example.com/openapi.yaml'],
  ['Swagger', 'https://a.example.com/v1/swagger.json', 'openapi https://a.example.com/v1/swagger.json'],
  ['a chosen kind', 'openapi https://a.example.com/x', 'openapi https://a.example.com/x'],
  ['a kind in capitals', ' MCP http https://a.example.com/sse ', 'mcp https://a.example.com/sse'],
  ['a chosen kind with an ending', 'skill https://a.example.com/x.zip', 'skill zip https://a.example.com/x.zip'],
  ['a package with ==', 'pypi tides==1.2.3', 'pypi tides@1.2.3'],
  ['a package and its version', 'nuget Example.Tides 1.2.3', 'nuget Example.Tides@1.2.3'],
  ['header lines', `https://a.example.com/mcp\nX-Api-Key: ${SECRET}`, withHeader],
  ['header lines with a hyphen', `https://a.example.com/mcp\n- X-Api-Key: ${SECRET}`, withHeader],
  ['marked lines', `${remote}\n- X-Api-Key (optional): ${SECRET}`, `${remote}\n- X-Api-Key (optional)`],
  ['variables below', `npx -y @example/tides@1.2.3\nTIDES_KEY=${SECRET}`, withVariable],
  ['variables above', `export TIDES_KEY="${SECRET} ${SECRET}"\nnpx -y @example/tides@1.2.3`, withVariable],
  ['npx', `npx -y @example/tides@1.2.3 --key ${SECRET} ${SECRET}`, packaged],
  ['npx with an unknown option', `npx --token ${SECRET} @example/tides@1.2.3`, packaged],
  ['npx with a package', `npx --package=@example/tides@1.2.3 -y tides ${SECRET}`, packaged],
  ['npx with variables', `$ TIDES_KEY='${SECRET} x' npx @example/tides@1.2.3`, withVariable],
  ['npx of cmd', `set TIDES_KEY=${SECRET}&& cmd /c npx -y @example/tides@1.2.3`, withVariable],
  ['npx of PowerShell', `$env:TIDES_KEY = "${SECRET}"; npx.cmd -y @example/tides@1.2.3`, withVariable],
  ['bunx', 'bunx @example/tides@1.2.3', packaged],
  ['npm exec', 'npm exec -y @example/tides@1.2.3', packaged],
  ['mcp-remote', `npx mcp-remote@latest https://a.example.com/mcp --header "X-Api-Key: ${SECRET}"`, withHeader],
  ['uvx', 'uvx tides@1.2.3', 'pypi tides@1.2.3'],
  ['uvx from', `uvx --from tides-mcp==1.2.3 tides --key ${SECRET}`, 'pypi tides-mcp@1.2.3'],
  [
    'docker',
    `docker run -i --rm -p 1:2 -e A=${SECRET} -e B -eC=${SECRET} --env D=${SECRET} ghcr.io/example/tides:1.2 ${SECRET}`,
    'oci ghcr.io/example/tides:1.2\n- A\n- B\n- C\n- D',
  ],
  ['Docker Hub', 'docker run -i --rm mcp/tides:1.2', 'oci docker.io/mcp/tides:1.2'],
  ['dnx', 'dnx Example.Tides@1.2.3 --yes', 'nuget Example.Tides@1.2.3'],
  ['dnx with a version', 'dnx Example.Tides --version 1.2.3', 'nuget Example.Tides@1.2.3'],
  [
    'Claude Code, remote',
    `claude mcp add --transport http tides https://a.example.com/mcp --header "X-Api-Key: ${SECRET}"`,
    withHeader,
  ],
  [
    'Claude Code on several lines',
    `claude mcp add --transport http tides \\\n  https://a.example.com/mcp \\\n  -H 'X-Api-Key: ${SECRET}'`,
    withHeader,
  ],
  [
    'Claude Code, local',
    `claude mcp add --env TIDES_KEY=${SECRET} OTHER=${SECRET} -s user tides -- npx -y @example/tides@1.2.3 ${SECRET}`,
    `${withVariable}\n- OTHER`,
  ],
  ['Claude Code, JSON', `claude mcp add-json tides '${JSON.stringify(http)}'`, withHeader],
  [
    'Codex',
    'codex mcp add tides --url https://a.example.com/mcp --bearer-token-env-var TOKEN',
    `${remote}\n- Authorization`,
  ],
  ['Gemini', `gemini mcp add -t http -H "X-Api-Key: ${SECRET}" tides https://a.example.com/mcp`, withHeader],
  ['Copilot', `copilot mcp add tides --env TIDES_KEY=${SECRET} -- npx -y @example/tides@1.2.3`, withVariable],
  ['VS Code, command', `code --add-mcp '${JSON.stringify({ name: 'tides', ...http })}'`, withHeader],
  ['JSON of Windows', `code --add-mcp "${JSON.stringify(http).replaceAll('"', String.raw`\"`)}"`, withHeader],
  [
    'Claude Desktop',
    json({ mcpServers: { tides: { ...stdio, env: { TIDES_KEY: SECRET, PORT: 4321 } } } }),
    `${withVariable}\n- PORT`,
  ],
  ['Cursor', json({ mcpServers: { tides: http } }), withHeader],
  ['Windsurf', json({ mcpServers: { tides: { serverUrl: http.url, headers: http.headers } } }), withHeader],
  ['Gemini, JSON', json({ mcpServers: { tides: { httpUrl: http.url, headers: http.headers } } }), withHeader],
  [
    'VS Code',
    json({
      inputs: [
        { id: 'key', type: 'promptString', description: 'Key from\nyour account', default: SECRET, password: true },
        { id: 'zone', type: 'pickString', description: 'Zone', options: [SECRET], password: false },
        { id: 'run', type: 'command', command: SECRET },
      ],
      servers: { tides: { type: 'http', ...http, headers: { A: '${input:key}', B: 'x ${input:zone}', C: SECRET } } },
    }),
    `${remote}\n- A asks for Key from your account\n- B (public) asks for Zone\n- C`,
  ],
  ['VS Code, user settings', json({ mcp: { servers: { tides: { type: 'http', ...http } } } }), withHeader],
  ['Zed', json({ context_servers: { tides: { source: 'custom', ...http } } }), withHeader],
  [
    'Zed, nested',
    json({
      context_servers: {
        tides: { command: { path: 'npx', args: stdio.args, env: { TIDES_KEY: SECRET } }, settings: { a: SECRET } },
      },
    }),
    withVariable,
  ],
  [
    'Codex, remote',
    `[mcp_servers.tides] # ${SECRET}\nurl = "https://a.example.com/mcp"\nbearer_token_env_var = "T"\nhttp_headers = { 'X-Api-Key' = '${SECRET}', "B" = "${SECRET}" }`,
    `${remote}\n- X-Api-Key\n- B\n- Authorization`,
  ],
  [
    'Codex, local',
    `[mcp_servers."my tides"]\ncommand = 'npx'\nargs = [ # ${SECRET}\n  "-y",\n  "@example/tides@1.2.3", '${SECRET}',\n]\nstartup_timeout_sec = 20\n\n[mcp_servers."my tides".env]\nTIDES_KEY = "${SECRET}"\n__proto__ = "${SECRET}"\n\n[mcp_servers.a]\nurl = "https://a.example.com/mcp"\nhttps://a.example.com/SKILL.md`,
    `${withVariable}\n- __proto__\n${remote}\nskill https://a.example.com/SKILL.md`,
  ],
  ['one server', json(http), withHeader],
  [
    'a named server without braces',
    `"tides": ${json(http)},\nhttps://a.example.com/SKILL.md`,
    `${withHeader}\nskill https://a.example.com/SKILL.md`,
  ],
  ['a command as a list', json({ command: ['npx', '-y', '@example/tides@1.2.3', SECRET] }), packaged],
  ['a command with blanks', json({ command: `npx -y @example/tides@1.2.3 --key ${SECRET}` }), packaged],
  ['comments and trailing commas', `{ // ${SECRET}\n"url": "https://a.example.com/mcp", /* ${SECRET} */\n}`, remote],
  ['variables as a list', json({ ...stdio, env: [`TIDES_KEY=${SECRET}`] }), withVariable],
  ['unknown members', json({ ...http, oauth: { clientSecret: SECRET }, key: SECRET, pin: 918273 }), withHeader],
  ['server.json', json(serverJson), `${remote}\n- X-Api-Key asks for Key\n${withVariable}`],
  [
    'a list of servers',
    json({ servers: [{ server: serverJson }] }),
    `${remote}\n- X-Api-Key asks for Key\n${withVariable}`,
  ],
  ['a connection', json({ kind: 'openapi', url: 'https://a.example.com/x' }), 'openapi https://a.example.com/x'],
  [
    'a connection with arguments',
    json({
      kind: 'mcp-package',
      registry: 'npm',
      identifier: '@example/tides',
      version: '1.2.3',
      environment: [{ name: 'TIDES_KEY', value: SECRET, description: 'TIDES_KEY' }],
      packageArguments: [{ type: 'positional', value: SECRET }],
    }),
    withVariable,
  ],
  ['a fence', `\`\`\`json ${SECRET}\n${json(http)}\n\`\`\``, withHeader],
  ['a page of npm', 'https://www.npmjs.com/package/@example/tides/v/1.2.3', packaged],
  ['an escaped page of npm', 'https://npmjs.com/package/%40example%2Ftides/v/1.2.3', packaged],
  ['a page of PyPI', 'https://pypi.org/project/tides/1.2.3/', 'pypi tides@1.2.3'],
  ['a page of NuGet', 'https://www.nuget.org/packages/Example.Tides/1.2.3', 'nuget Example.Tides@1.2.3'],
  ['a page of GitHub', 'https://github.com/Example/x/pkgs/container/tides?tag=1.2', 'oci ghcr.io/example/tides:1.2'],
  ['an image', 'ghcr.io/example/tides:1.2', 'oci ghcr.io/example/tides:1.2'],
  ['an address of an image', 'https://ghcr.io/example/tides:1.2', 'oci ghcr.io/example/tides:1.2'],
  ['a name that is refused', json({ ...stdio, env: { NODE_ENV: SECRET, TIDES_KEY: SECRET } }), withVariable],
];

test.each(constructs)('%s is read, without values', (_, given, read) => {
  for (const text of [given, given.replaceAll('\n', '\r\n')]) {
    const pasted = readPasted(text);
    expect(pasted.faults).toEqual([]);
    expect(writeConnections(pasted.ways.map(({ connection }) => connection))).toBe(read);
    expect(JSON.stringify(pasted)).not.toMatch(/Zx81|918273|4321/);
    // Written anew, a line for each connection and input.
    const { text: written, ways, faults } = pasted;
    expect(readPasted(written)).toMatchObject({ text: written, ways, faults, names: [] });
  }
});

/** Secrets that look like words, versions, paths, packages and images. */
const shapes = [
  'correcthorse',
  'abc123def456',
  'qwe.rty/uio',
  'aBcD-efGh_ij',
  '83746152',
  'wer:sdf',
  'eyJhbGci.eyJzdWIi.sfl',
];

test.each(constructs)('%s keeps no secret of another shape', (_, given) => {
  for (const shape of shapes) {
    expect(JSON.stringify(readPasted(given.replaceAll(SECRET, shape)))).not.toContain(shape);
  }
});

/** Texts that are refused, the sentence, and what is left of the text. */
const broken: [text: string, fault: string, left: string][] = [
  [
    'http://a.example.com/mcp',
    'this MCP address must be an https address, such as https://example.com/mcp',
    'http://a.example.com/mcp',
  ],
  [
    `https://u:${SECRET}@a.example.com/mcp?api_key=${SECRET}&x=1#${SECRET}`,
    'this MCP address must not have a user name or password',
    'https://***@a.example.com/mcp?api_key=***&x=1#***',
  ],
  [
    'https://u:Zx81@a.example.com/',
    'this MCP address must not have a user name or password',
    'https://***@a.example.com/',
  ],
  [
    'https://a.example.com/?x=1&%61pi_key=Zx81',
    'this MCP address must not have the parameter api_key: a secret belongs into a header',
    'https://a.example.com/?x=1&%61pi_key=***',
  ],
  ['https://a.example.com/#Zx81', 'this MCP address must not have a fragment (#)', 'https://a.example.com/#***'],
  ['npx -y @example/tides', 'this npm package has no exact version: write @example/tides@1.2.3', 'npm @example/tides'],
  ['npx -y tides@latest', 'this npm package has no exact version: write tides@1.2.3', 'npm tides@latest'],
  ['https://www.npmjs.com/package/tides', 'this npm package has no exact version: write tides@1.2.3', 'npm tides'],
  ['uvx tides', 'this PyPI package has no exact version: write tides==1.2.3', 'pypi tides'],
  ['https://pypi.org/project/tides/', 'this PyPI package has no exact version: write tides==1.2.3', 'pypi tides'],
  [
    'docker run mcp/tides',
    'this image has no exact version: write docker.io/mcp/tides:1.2.3',
    'oci docker.io/mcp/tides',
  ],
  [
    'https://hub.docker.com/r/mcp/tides',
    'this image has no exact version: write docker.io/mcp/tides:1.2.3',
    'oci docker.io/mcp/tides',
  ],
  ['dnx Example.Tides', 'this NuGet package has no exact version: write Example.Tides@1.2.3', 'nuget Example.Tides'],
  ['npm Tides@1.0.0', 'this npm package must be a name such as @example/tides', 'npm Tides@1.0.0'],
  ['npx', 'this command has no package', 'npx'],
  [
    'npx --registry=https://u:Zx81@npm.example.com tides@1.0.0',
    'this command takes the package from another place than npm',
    'npx --registry=https://***@npm.example.com tides@1.0.0',
  ],
  ['claude mcp add tides', 'this command has no address and no command of a server', 'claude mcp add tides'],
  ['npx -y "tides@1.0.0 Zx81', 'a quote is not closed', ''],
  [
    '{"mcpServers": {"tides": {"headers": {"X": "Zx81',
    'here this JSON has a mistake',
    '{"mcpServers": {"tides": {"headers": {"X": "***"',
  ],
  [
    '{"url": "https://a.example.com/mcp" "key": "Zx81"}',
    'here this JSON has a mistake',
    '{"url": "https://a.example.com/mcp" "key": "***"}',
  ],
  ["{url: 'Zx81'}", 'here this JSON has a mistake', ''],
  [`{"remotes": ${'['.repeat(7_000)}${']'.repeat(7_000)}}`, 'here this JSON has a mistake', ''],
  ['[mcp_servers.tides]\nkey = "Zx81"\nurl = "Zx81', 'this configuration has no server with a url or a command', ''],
  ['{"mcpServers": {}}', 'this configuration has no server with a url or a command', '{"mcpServers": {}}'],
  [
    '{"command": "node", "args": ["Zx81"]}',
    'this server is started by a program that the registry does not know: it takes npx, uvx, docker run or dnx',
    '',
  ],
  [
    '{"url": "https://a.example.com/", "skills": [{"x": "Zx81"}]}',
    'this is an agent card: write the address at which it is served',
    '',
  ],
  ['{"openapi": "3.1.0", "info": {}}', 'this is an OpenAPI description: write the address at which it is served', ''],
  [
    json({ ...serverJson, packages: [], remotes: [{ type: 'sse', url: 'https://{tenant}.example.com/' }] }),
    'remotes[0]: its url has a place for what the user gives',
    '',
  ],
  ['a2a https://a.example.com/card.json\n- X-Key: Zx81', 'this agent card cannot have headers or variables', ''],
  ['X-Key: Zx81', 'X-Key belongs to no connection: write the address or the command above it', '- X-Key'],
  [
    'mcpb https://github.com/e/t-mcp/releases/download/v1/t.mcpb',
    'this MCPB file has no SHA-256: write mcpb https://github.com/e/t-mcp/releases/download/v1/t.mcpb and the 64 digits of its checksum',
    '',
  ],
  [
    'my token is Zx81 ok',
    'this is no address, command or configuration that the registry knows: write an https address, a command such as npx -y @example/tides@1.2.3, or the JSON of a client',
    'my token is *** ok',
  ],
  [
    'start-server --password correcthorse -k abcdef now',
    'this is no address, command or configuration that the registry knows: write an https address, a command such as npx -y @example/tides@1.2.3, or the JSON of a client',
    '*** --password *** -k *** now',
  ],
  [`${remote}\n${remote}`, 'this is line 1 once more', ''],
];

test.each(broken)('%s is refused', (text, fault, left) => {
  const pasted = readPasted(text);
  expect(JSON.stringify(pasted)).not.toContain('Zx81');
  expect(pasted.faults.map((each) => each.replace(/^Line \d+: /, ''))).toContain(fault);
  if (left !== '') expect(pasted.text).toBe(left);
  expect(readPasted(pasted.text).faults).toEqual(pasted.faults);
});

test('A fault names its line, and what is left out is said', () => {
  const text = `https://a.example.com/mcp\n\nnpx -y @example/tides@1.2.3 --key x\nNODE_ENV=x\nuvx tides`;
  expect(readPasted(text)).toMatchObject({
    names: ['NODE_ENV'],
    faults: ['Line 4: this PyPI package has no exact version: write tides==1.2.3'],
    notes: [
      'Arguments and options are left out: clients start the server without them',
      'Line 2: NODE_ENV is left out: its name must not be NODE_ENV, which changes how programs start',
    ],
  });
});

test('Too many connections and too long texts are refused', () => {
  const nine = Array.from({ length: 9 }, (_, index) => `https://a.example.com/${index}`).join('\n');
  expect(readPasted(nine).faults).toEqual(['An agent can have at most 8 connections: take out 1']);
  const { text, faults } = readPasted(`${remote}\n${' '.repeat(MAX_PASTED_LENGTH)}x`);
  expect(faults).toEqual(['This text is too long: it can have at most 16,384 characters']);
  expect(readPasted(text).faults).toEqual(faults);
});

const repeated = [
  'a@',
  'https://',
  '{"a":',
  '[',
  '"',
  "'",
  'npx "\n',
  'a=\n',
  '/*',
  '- a asks for b\n',
  'https://u:/@',
];
test.each([...repeated, '$ ', 'A=b ', 'env ', 'claude mcp add x -- ', '\\"', '[mcp_servers.a]\nb=[', '#\n'])(
  '%j many times is read, and refused',
  (part) => {
    for (const head of ['', '"', '[mcp_servers.a]\nb = ']) {
      const { text, faults } = readPasted((head + part.repeat(MAX_PASTED_LENGTH)).slice(0, MAX_PASTED_LENGTH));
      expect(faults).not.toEqual([]);
      expect(text.length).toBeLessThan(8 * MAX_PASTED_LENGTH);
    }
  },
);

/** Random numbers that are the same in each run. */
function makeRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test('Connections are read as they are written', () => {
  const random = makeRandom(7);
  const pick = <Value>(...values: readonly Value[]) => values[random(values.length)] as Value;
  const descriptions = [
    'Key',
    'A: b',
    'asks for a key',
    '- x (optional)',
    'Bearer "x" # y',
    '{"a": 1}',
    'Schlüssel 🌊',
    '(public) asks for it',
  ];
  const inputs = (names: readonly string[]) => {
    const list = names
      .filter(() => random(2) === 1)
      .map((name) => ({
        name,
        description: pick(name, ...descriptions),
        required: pick(true, false),
        secret: pick(true, false),
      }));
    return list.length > 0 ? list : undefined;
  };
  const url = (path: string) =>
    `https://${pick('a', 'xn--bcher-kva')}.example.com/${path}${pick('', '?a=1&b=%20;x', '/@x/y', '/sse')}`;
  const make = (index: number): Connection => {
    const version = pick('1.2.3', '0.1.0-rc.1');
    const headers = inputs(['X-Api-Key', 'Authorization', 'asks']);
    const environment = inputs(['TIDES_KEY', 'A', 'X1']);
    const sha256 = pick(undefined, 'ab'.repeat(32));
    return pick<Connection>(
      { kind: 'mcp', transport: pick('streamable-http', 'sse'), url: url(`m${index}`), ...(headers && { headers }) },
      {
        kind: 'mcp-package',
        registry: 'npm',
        identifier: `@example/t${index}`,
        version,
        ...(environment && { environment }),
      },
      { kind: 'mcp-package', registry: 'npm', identifier: `mcp-t${index}`, version, ...(sha256 && { sha256 }) },
      { kind: 'mcp-package', registry: 'pypi', identifier: `t.${index}`, version: '1.2.3' },
      {
        kind: 'mcp-package',
        registry: 'nuget',
        identifier: `Example.T${index}`,
        version,
        ...(environment && { environment }),
      },
      {
        kind: 'mcp-package',
        registry: 'oci',
        identifier: `ghcr.io/e/t${index}${pick(':1.2', `@sha256:${'0f'.repeat(32)}`)}`,
      },
      {
        kind: 'mcp-package',
        registry: 'mcpb',
        identifier: `https://github.com/e/t-mcp/releases/download/v${index}/t.mcpb`,
        ...pick({}, { version }),
        sha256: 'cd'.repeat(32),
      },
      { kind: 'a2a', card: url(`c${index}`) },
      { kind: 'skill', url: url(`s${index}`), format: pick('md', 'zip', 'gzip') },
      { kind: 'openapi', url: url(`o${index}`) },
    );
  };
  for (let round = 0; round < 300; round++) {
    const connections = Array.from({ length: 1 + random(8) }, (_, index) => make(index));
    const written = writeConnections(connections);
    const { text, ways, faults } = readPasted(written);
    expect(faults).toEqual([]);
    expect(text).toBe(written);
    expect(ways.map(({ connection }) => connection)).toEqual(connections);
  }
});
