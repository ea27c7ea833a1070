// Packs the built registry into a new folder that runs without the repository and without an installed Node, or into a
// package for npm, a file *.tgz, which Node 24 of the machine runs.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The name of the package, which nobody has published yet. */
const PACKAGE_NAME = '@agent-registry/server';

type Manifest = { version: string; dependencies: Record<string, string> };

const root = join(import.meta.dirname, '..');
const [path] = process.argv.slice(2);
if (!path) fail('Name the folder to pack into, such as /opt/agent-registry/current.');
// Scripts of pnpm run in the root; a relative path means the folder of the caller.
const target = resolve(process.env['INIT_CWD'] ?? '.', path);
if (existsSync(target)) fail(`${target} exists. Name a new ${target.endsWith('.tgz') ? 'file' : 'folder'}.`);
if (target.endsWith('.tgz')) packTarball(target);
else packFolder(target);
console.log(`Packed into ${target}.`);

function packFolder(folder: string): void {
  const deploy = ['--filter', '@agent-registry/api', 'deploy', '--prod', join(folder, 'apps/api')];
  if (!runPnpm(deploy, root)) fail('The packages that the server needs could not be installed.');
  // A seventh of the size, which nothing reads at run time.
  for (const file of globSync('apps/api/node_modules/.pnpm/**/*.{map,c,h}', { cwd: folder }))
    rmSync(join(folder, file));
  copy(folder, 'apps/web/dist', 'apps/console/dist', 'deploy', 'LICENSE', 'README.md');
  cpSync(process.execPath, join(folder, 'bin/node'));
  // Beside the folder of the binary, in every archive of Node.
  const license = join(dirname(process.execPath), '../LICENSE');
  if (existsSync(license)) cpSync(license, join(folder, 'bin/LICENSE'));
}

function packTarball(file: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registry-'));
  copy(folder, 'apps/api/dist', 'apps/web/dist', 'apps/console/dist', 'deploy', 'LICENSE', 'README.md');
  cpSync(join(root, 'scripts/agent-registry.js'), join(folder, 'bin/agent-registry.js'));
  const { version, dependencies } = readManifest('apps/api/package.json');
  const installed = Object.keys(dependencies).map((name) => [
    name,
    readManifest(`apps/api/node_modules/${name}/package.json`).version,
  ]);
  const manifest = {
    name: PACKAGE_NAME,
    version,
    description: 'A public directory of AI agents, bots and automation tools.',
    license: 'MIT',
    type: 'module',
    bin: { 'agent-registry': 'bin/agent-registry.js' },
    engines: { node: '>=24' },
    dependencies: Object.fromEntries(installed) as Record<string, string>,
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  const isPacked = runPnpm(['pack', '--silent', '--out', file], folder);
  rmSync(folder, { recursive: true });
  if (!isPacked) fail('The package could not be packed.');
}

function copy(folder: string, ...paths: readonly string[]): void {
  for (const source of paths) cpSync(join(root, source), join(folder, source), { recursive: true });
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
}

/** Runs the pnpm that runs this script, which is not always on the path. */
function runPnpm(args: readonly string[], cwd: string): boolean {
  return spawnSync('pnpm', args, { cwd, stdio: 'inherit' }).status === 0;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
