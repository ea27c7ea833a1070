import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startTestApp } from '@agent-registry/api/testing/test-app';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const run = promisify(execFile);
const packageFolder = join(import.meta.dirname, '..');
const dist = join(packageFolder, 'dist');

// The tests start processes, among them the TypeScript compiler.
vi.setConfig({ testTimeout: 60_000 });

/** A project with the package installed and the example of the README. */
let project: string;

beforeAll(async () => {
  if (!existsSync(join(dist, 'index.js'))) {
    throw new Error(`${dist} is missing. Build it first: npx -y pnpm@12 --filter @agent-registry/client build`);
  }
  project = await mkdtemp(join(tmpdir(), 'agent-registry-client-'));
  const installed = join(project, 'node_modules', manifest.name);
  await mkdir(installed, { recursive: true });
  await cp(dist, join(installed, 'dist'), { recursive: true });
  const { name, version, type, dependencies, publishConfig } = manifest;
  await writeFile(
    join(installed, 'package.json'),
    JSON.stringify({ name, version, type, dependencies, ...publishConfig }),
  );
  for (const dependency of [...Object.keys(dependencies), '@types/node']) {
    const link = join(project, 'node_modules', dependency);
    await mkdir(dirname(link), { recursive: true });
    await symlink(await realpath(join(packageFolder, 'node_modules', dependency)), link, 'junction');
  }
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
  const example = /^```ts\n(.+?)^```$/ms.exec(readme)?.[1];
  if (!example) throw new Error('The README has no example.');
  await writeFile(join(project, 'example.ts'), example);
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
});

afterAll(async () => {
  if (project) await rm(project, { recursive: true });
});

test('the example of the README runs with the built package', async () => {
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
    '404: No agent has this id.',
  ]);
});

test('the example of the README is type-checked against the built package', async () => {
  const tsc = join(packageFolder, 'node_modules/typescript/bin/tsc');
  const options = '--strict --module nodenext --moduleResolution nodenext --skipLibCheck --noEmit --types node';
  const check = (file: string) => run(process.execPath, [tsc, ...options.split(' '), file], { cwd: project });
  await check('example.ts');

  // The types are not simply `any`.
  const example = await readFile(join(project, 'example.ts'), 'utf8');
  await writeFile(join(project, 'wrong.ts'), example.replace("category: 'chatbot'", "category: 'robots'"));
  await expect(check('wrong.ts')).rejects.toHaveProperty('stdout', expect.stringContaining('"robots"'));
});
