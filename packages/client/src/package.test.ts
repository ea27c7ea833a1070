import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestApp } from '@agent-registry/api/testing/test-app';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build } from 'vite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { runsAll } from '@agent-registry/api/testing/tier';

const run = promisify(execFile);
const packageFolder = join(import.meta.dirname, '..');

/** A project outside the workspace with the packed package installed, and the first example of the README. */
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
  example = /^```ts\n(.+?)^```$/ms.exec(readme)?.[1] ?? expect.fail('The README has no example.');
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  inPage = example.replace('process.env.REGISTRY_URL ?? ', '');
  await writeFile(join(project, 'example.ts'), example);
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

test('the installed package has its licence, and nothing besides the build and documents', async () => {
  const [folder] = await readdir(join(project, 'node_modules/@agent-registry'));
  const installed = join(project, 'node_modules/@agent-registry', folder ?? '');
  const files = await readdir(installed, { recursive: true });
  expect(files.toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'dist/index.cjs',
    'dist/index.d.cts',
    'dist/index.d.ts',
    'dist/index.js',
    'package.json',
  ]);
  expect(await readdir(join(project, 'node_modules'))).toEqual(['.package-lock.json', '@agent-registry']);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(installed, file))).size));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(100_000);

  const { messages, pkg } = await publint({ pkgDir: installed, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test('the changelog describes the version of the package', async () => {
  const changelog = await readFile(join(packageFolder, 'CHANGELOG.md'), 'utf8');
  expect(changelog).toContain(`\n## ${manifest.version}\n`);
});

test('the example of the README runs in Node', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  await app.agents.register(makeNewAgent({ name: 'Babel', description: 'I translate letters.', category: 'language' }));
  const { stdout } = await run(process.execPath, ['example.ts'], {
    cwd: project,
    env: { ...process.env, REGISTRY_URL: app.url },
  });
  const [newest] = await app.agents.list();
  expect(newest).toMatchObject({ name: 'Front Desk', capabilities: ['calls', 'appointments'] });
  expect(stdout.trimEnd().split('\n')).toEqual([
    '1 agents in 6 categories',
    'Babel (language)',
    `Registered Front Desk at /agent/${newest?.id}`,
    '400: Name is required.',
    'name: Name is required',
  ]);
});

test('CommonJS can require the package', async () => {
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

test('every type, field and call has a doc comment', async () => {
  const lines = (await readFile(join(packageFolder, 'dist/index.d.ts'), 'utf8')).split('\n');
  const isMember = /^(?:type|declare|\s+(?!constructor)(?:readonly )?\w+\??(?:: |\())/;
  const undocumented = lines.filter((line, index) => isMember.test(line) && !lines[index - 1]?.trim().endsWith('*/'));
  expect(undocumented.map((line) => line.trim())).toEqual([]);
});

test('Vite builds a page with the client', async () => {
  const root = join(project, 'page');
  await mkdir(root);
  await writeFile(join(project, 'page.ts'), inPage);
  await writeFile(join(root, 'index.html'), '<script type="module" src="../page.ts"></script>');
  await build({ root, configFile: false, logLevel: 'error' });
  const assets = await readdir(join(root, 'dist/assets'));
  const scripts = await Promise.all(assets.map((file) => readFile(join(root, 'dist/assets', file), 'utf8')));
  expect(scripts.join('')).toContain('/api/search');
});
