import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestApp, type TestApp } from '@agent-registry/api/testing/test-app';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { runsAll } from '@agent-registry/api/testing/tier';

const run = promisify(execFile);
const packageFolder = join(import.meta.dirname, '..');

/** A project outside the workspace, with `pnpm test --all` with the packed package installed; the README's examples. */
let project: string;
let example: string;
/** The example in a page. */
let inPage: string;

beforeAll(async () => {
  if (!existsSync(join(packageFolder, 'dist/index.js'))) {
    throw new Error('The client is not built. Build it first: npx -y pnpm@12 --filter @agent-registry/client build');
  }
  project = await mkdtemp(join(tmpdir(), 'agent-registry-client-'));
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
  const blocks = Array.from(readme.matchAll(/^```ts\n(.+?)^```$/gms), ([, block = '']) => block);
  if (blocks.length !== 4) expect.fail('The README has another number of examples.');
  // The last one follows changes without an end; `mirror.mts` does so, too.
  example = blocks.slice(0, -1).join('');
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  inPage = example.replace('process.env.REGISTRY_URL ?? ', '');
  await writeFile(join(project, 'example.ts'), example);
  if (!runsAll) return;
  await run('pnpm', ['pack', '--out', join(project, 'client.tgz')], { cwd: packageFolder });
  // The package has no dependencies, so npm needs no network.
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', './client.tgz'], { cwd: project });
});

afterAll(async () => {
  if (project) await rm(project, { recursive: true });
});

/** Type-checks files of the project as strictly as a user may. */
async function check(files: readonly string[], options: Record<string, string>): Promise<string> {
  const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');
  const flags = {
    ...options,
    strict: 'true',
    skipLibCheck: 'false',
    noEmit: 'true',
    exactOptionalPropertyTypes: 'true',
  };
  const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  const typeRoots = ['--typeRoots', join(packageFolder, 'node_modules/@types')];
  return run(process.execPath, [tsc, ...given, ...typeRoots, ...files], { cwd: project }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

const node = { module: 'nodenext', target: 'es2023', lib: 'es2023', types: 'node' };
const page = { module: 'esnext', moduleResolution: 'bundler', lib: 'es2023,dom', types: '' };

test.runIf(runsAll)('the installed package has its licence, and nothing besides the build and documents', async () => {
  const [folder] = await readdir(join(project, 'node_modules/@agent-registry'));
  const installed = join(project, 'node_modules/@agent-registry', folder ?? '');
  const files = await readdir(installed, { recursive: true });
  expect(files.toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'dist/cli.js',
    'dist/index.cjs',
    'dist/index.d.cts',
    'dist/index.d.ts',
    'dist/index.js',
    'package.json',
  ]);
  expect(await readdir(join(project, 'node_modules'))).toEqual(['.bin', '.package-lock.json', '@agent-registry']);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(installed, file))).size));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(95_000);

  const { messages, pkg } = await publint({ pkgDir: installed, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test('the changelog describes the version of the package', async () => {
  const changelog = await readFile(join(packageFolder, 'CHANGELOG.md'), 'utf8');
  expect(changelog).toContain(`\n## ${manifest.version}\n`);
});

test.runIf(runsAll)('the examples of the README run in Node', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  await app.agents.register(makeNewAgent({ name: 'Babel', description: 'I translate letters.', category: 'language' }));
  const { stdout } = await run(process.execPath, ['example.ts'], {
    cwd: project,
    env: { ...process.env, REGISTRY_URL: app.url },
  });
  const [owned, first] = await app.agents.list();
  expect(first).toMatchObject({ name: 'Front Desk', capabilities: ['calls', 'appointments'], website: null });
  expect(owned).toMatchObject({ name: 'Front Desk', website: 'https://example.com/' });
  expect(stdout.trimEnd().split('\n')).toEqual([
    '1 agents in 6 categories',
    'Babel (language)',
    `Registered Front Desk at /agent/${first?.id}`,
    '400: Name is required.',
    'name: Name is required',
  ]);
});

describe('the command', () => {
  const key = 'k0123456789abcdefghijklmnopqrstuvwxyz_-ABCD';
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp();
    return () => app.close();
  });

  /** Runs the command, and returns its exit code and output. */
  async function runBin(args: readonly string[], env: Record<string, string> = {}) {
    const all = { ...process.env, REGISTRY_URL: app.url, AGENT_REGISTRY_KEY: key, ...env };
    const [bin, ...before] = runsAll
      ? [join(project, 'node_modules/.bin/agent-registry')]
      : [process.execPath, join(packageFolder, 'dist/cli.js')];
    return run(bin, [...before, ...args], { cwd: project, env: all }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  }

  const write = (name: string, value: unknown) => writeFile(join(project, name), JSON.stringify(value, undefined, 4));
  const read = async (name: string) =>
    JSON.parse(await readFile(join(project, name), 'utf8')) as Record<string, unknown>;

  test.runIf(runsAll)('publishes a file once, then its changes, and withdraws it', async () => {
    const connection = {
      kind: 'mcp',
      transport: 'sse',
      url: 'https://a.example.com',
      headers: [{ name: 'X-Key', description: 'Key' }],
    };
    const agent = {
      name: 'Desk',
      description: ' Answers. ',
      category: 'chatbot',
      contactEmail: 'file@example.com',
      website: 'https://desk.example.com',
      connections: [connection],
    };
    await write('agent.json', agent);
    const published = await runBin(['publish', 'agent.json'], { AGENT_REGISTRY_CONTACT: 'ci@example.com' });
    const [listed] = await app.agents.list();
    expect(published).toEqual({
      code: 0,
      stdout: `The agent was registered: ${app.url}/agent/${listed?.id}\nCommit agent.json: its id is how the entry is found from now on.\n`,
      stderr: '',
    });
    expect(listed).toMatchObject({ name: 'Desk', contactEmail: 'ci@example.com' });
    expect(await read('agent.json')).toEqual({ id: listed?.id, ...agent });
    expect(await readFile(join(project, 'agent.json'), 'utf8')).toContain('\n    "id"');
    expect(published.stdout).not.toContain(key);

    const env = { AGENT_REGISTRY_CONTACT: 'ci@example.com' };
    expect(await runBin(['publish', 'agent.json'], env)).toMatchObject({ code: 0, stdout: 'Nothing has changed.\n' });
    expect(await runBin(['diff', 'agent.json'], env)).toMatchObject({ code: 0, stdout: 'Nothing differs.\n' });
    await write('agent.json', { ...(await read('agent.json')), name: 'New \u202E', connections: [] });
    const changed = await runBin(['diff', 'agent.json'], env);
    expect(changed).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('- name: "Desk"\n+ name: "New \\u202e"'),
    });
    await write('agent.json', { ...(await read('agent.json')), name: 'New' });
    expect(await runBin(['publish', 'agent.json'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await app.agents.find(listed?.id ?? '')).not.toHaveProperty('connections');

    expect(await runBin(['withdraw', 'agent.json'], { AGENT_REGISTRY_KEY: key.replace('k', 'x') })).toMatchObject({
      code: 1,
    });
    expect(await runBin(['withdraw', 'agent.json'])).toMatchObject({ code: 0 });
    expect(await app.agents.list()).toEqual([]);
  });

  test('publishes a server.json and agent cards, and refuses a website that has an entry with another key', async () => {
    const note = { category: 'automation', contactEmail: 'owner@example.com' };
    const provided = 'io.modelcontextprotocol.registry/publisher-provided';
    const server = {
      name: 'com.example/tides',
      description: 'High water.',
      version: '1.0.0',
      websiteUrl: 'https://tides.example.com/',
      packages: [
        {
          registryType: 'npm',
          identifier: 'tides',
          version: '1.0.0',
          transport: { type: 'stdio' },
          packageArguments: [{ type: 'positional', value: 'serve' }],
        },
      ],
      remotes: [{ type: 'sse', url: 'http://tides.example.com/' }],
      _meta: { [provided]: { 'agent-registry': note } },
    };
    await write('server.json', server);
    const stderr =
      'Not taken from server.json: remotes[0]: its url must be an https address, such as https://example.com/mcp.\n';
    expect(await runBin(['publish', 'server.json'])).toMatchObject({ code: 0, stderr });
    const [tides] = await app.agents.list();
    expect(tides).toMatchObject({
      name: 'tides',
      connections: [{ registry: 'npm', packageArguments: [{ type: 'positional', value: 'serve' }] }],
    });
    expect(await read('server.json')).toMatchObject({ _meta: { [provided]: { 'agent-registry': { id: tides?.id } } } });
    expect(await runBin(['publish', 'server.json'])).toMatchObject({ code: 0, stdout: 'Nothing has changed.\n' });

    await write('server.json', server);
    const other = await runBin(['publish', 'server.json'], { AGENT_REGISTRY_KEY: key.replace('k', 'x') });
    expect(other).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`/agent/${tides?.id}. If it is`),
    });
    // Several runs of one commit that has no id, and then several with one change.
    const runs = async () => Promise.all([1, 2, 3].map(() => runBin(['publish', 'server.json'])));
    for (const result of await runs()) expect(result).toMatchObject({ code: 0 });
    await write('server.json', { ...(await read('server.json')), description: 'Low water.' });
    for (const result of await runs()) expect(result).toMatchObject({ code: 0 });
    expect(await app.agents.list()).toMatchObject([{ id: tides?.id, description: 'Low water.' }]);

    const card = { name: 'Front Desk', description: 'Answers calls.', skills: [{ id: '1', name: 'Calls' }] };
    const grpc = {
      ...card,
      supportedInterfaces: [{ url: 'desk.example.org:443', protocolBinding: 'GRPC' }],
      'agent-registry': note,
    };
    await write('card.json', { agentCard: grpc });
    expect(await runBin(['publish', 'card.json'])).toMatchObject({ code: 0, stderr: '' });
    const [desk] = await app.agents.list();
    expect(desk).toMatchObject({
      capabilities: ['Calls'],
      website: 'https://desk.example.org/',
      connections: [{ kind: 'a2a', card: 'https://desk.example.org/.well-known/agent-card.json' }],
    });
    expect(await read('card.json')).toMatchObject({ agentCard: { 'agent-registry': { id: desk?.id } } });
    // What it says after a withdrawal can be followed.
    expect(await runBin(['withdraw', 'card.json'])).toMatchObject({ code: 0 });
    expect(await runBin(['publish', 'card.json'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('registered'),
    });
    expect((await app.agents.list())[0]?.id).not.toBe(desk?.id);
  });

  test('a proxy of the environment is used', async () => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer((request, response) => {
      asked.push(request.url);
      response.end();
    });
    proxy.on('connect', ({ url }, socket: Socket) => {
      asked.push(url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    await write('proxied.json', { id: '3f2b8c1e-0000-4000-8000-000000000000' });
    const { port } = proxy.address() as AddressInfo;
    const env = { HTTP_PROXY: `http://127.0.0.1:${port}`, REGISTRY_URL: 'http://registry.example' };
    expect((await runBin(['diff', 'proxied.json'], env)).code).toBe(1);
    expect(asked.join()).toContain('registry.example');
  });

  /** Each runs a process: the first one of each kind always runs. */
  const exits: [args: string[], env: Record<string, string>, code: number, output: RegExp][] = [
    [['key'], {}, 0, /^[\w-]{43}\n$/],
    [['publish', 'own.json'], {}, 1, /^400: .*\n {2}name: Name is required/s],
    [['publish', 'none.json'], {}, 1, /no such file/],
    [['publish', 'own.json'], { REGISTRY_URL: '' }, 2, /^Name the registry/],
    [['publish'], {}, 2, /^Usage: npx @agent-registry\/client/],
    [['publish', 'own.json'], { AGENT_REGISTRY_KEY: '' }, 1, /^AGENT_REGISTRY_KEY is missing/],
    [['publish', 'list.json'], {}, 1, /^list\.json must be a JSON object/],
    [['diff', 'own.json'], {}, 1, /^own\.json has no id yet/],
    [['publish', 'own.json', '--registry', 'http://127.0.0.1:65535'], {}, 1, /fetch failed: .*ECONNREFUSED/],
    [['publish', '--key', 'x'], {}, 2, /--key/],
    [['--help'], {}, 0, /^Usage/],
  ];

  test.each(runsAll ? exits : exits.slice(0, 5))('%j with %j has the exit code %i', async (args, env, code, output) => {
    await write('own.json', { category: 'chatbot' });
    await write('list.json', []);
    const result = await runBin(args, env);
    expect([result.code, result.stdout + result.stderr]).toEqual([code, expect.stringMatching(output)]);
  });
});

test.runIf(runsAll)('CommonJS can require the package', async () => {
  const code = "console.log(Object.keys(require('@agent-registry/client')).sort().join())";
  expect((await run(process.execPath, ['-e', code, '--input-type=commonjs'], { cwd: project })).stdout).toBe(
    'RestError,createClient,createManagementKey\n',
  );
});

test.runIf(runsAll)('the types are checked in Node, in CommonJS and in a page, libraries included', async () => {
  await writeFile(join(project, 'page.ts'), inPage);
  await writeFile(
    join(project, 'required.cts'),
    "import client = require('@agent-registry/client');\nvoid client.createClient;\n",
  );
  await copyFile(join(packageFolder, '../../examples/mirror.mts'), join(project, 'mirror.mts'));
  expect(await check(['example.ts', 'mirror.mts', 'required.cts'], node)).toBe('');
  expect(await check(['page.ts'], page)).toBe('');

  // The types are not simply `any`, and a misspelt option is an error.
  const wrong = inPage
    .replace("category: 'chatbot'", "category: 'robots', pricingModel: 'barter'")
    .replace('idempotencyKey:', 'idempotencyKy:');
  await writeFile(join(project, 'wrong.ts'), wrong);
  const errors = await check(['wrong.ts'], page);
  expect(errors).toContain('"barter"');
  expect(errors).toContain('idempotencyKy');
});

test.runIf(runsAll)('each type is the one that the workspace has, by way of the router', async () => {
  const types = await readFile(join(packageFolder, 'dist/index.d.cts'), 'utf8');
  const names = /^export \{.*\};$/m.exec(types)?.[0].match(/\b[A-Z]\w+/g) ?? [];
  expect(names).toEqual(expect.arrayContaining(['Agent', 'AgentPatch', 'RegistryClient', 'SearchRequest']));
  const lines = [
    "import type * as Built from '../index.js';",
    "import type * as Source from '../../src/index.ts';",
    'type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;',
    ...names.map((name) => `void (true satisfies Same<Built.${name}, Source.${name}>);`),
  ];
  const folder = join(packageFolder, 'dist/src');
  await writeFile(join(folder, 'compare.ts'), lines.join('\n'));
  await writeFile(join(folder, 'tsconfig.json'), '{ "extends": "../../tsconfig.json", "include": ["compare.ts"] }');
  // Faster than the compiler, which also checks the server.
  const oxlint = join(createRequire(import.meta.url).resolve('oxlint/package.json'), '../bin/oxlint');
  const options = ['--type-aware', '--type-check', '--allow=all', '--no-ignore'];
  const output = await run(process.execPath, [oxlint, ...options, join(folder, 'compare.ts')]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(output).toMatch(/^Found 0 warnings and 0 errors\.\nFinished in \S+ on 1 file /m);
});

test('every type, field and call has a doc comment', async () => {
  const lines = (await readFile(join(packageFolder, 'dist/index.d.cts'), 'utf8')).split('\n');
  const isMember = /^(?:type|declare|\s+(?!constructor)(?:readonly )?\w+\??(?:: |\())/;
  const undocumented = lines.filter((line, index) => isMember.test(line) && !lines[index - 1]?.trim().endsWith('*/'));
  expect(undocumented.map((line) => line.trim())).toEqual([]);
});

test.runIf(runsAll)('Vite builds a page with the client', async () => {
  const root = join(project, 'page');
  await mkdir(root);
  await writeFile(join(project, 'page.ts'), inPage);
  await writeFile(join(root, 'index.html'), '<script type="module" src="../page.ts"></script>');
  await build({ root, configFile: false, logLevel: 'error' });
  const assets = await readdir(join(root, 'dist/assets'));
  const scripts = await Promise.all(assets.map((file) => readFile(join(root, 'dist/assets', file), 'utf8')));
  expect(scripts.join('')).toContain('/api/search');
});
