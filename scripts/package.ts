// Packs the built registry into a new folder that runs without the repository and without an installed Node.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const [path] = process.argv.slice(2);
if (!path) fail('Name the folder to pack into, such as /opt/agent-registry/current.');
// Scripts of pnpm run in the root; a relative path means the folder of the caller.
const folder = resolve(process.env['INIT_CWD'] ?? '.', path);
if (existsSync(folder)) fail(`${folder} exists. Name a new folder.`);

const deploy = ['--filter', '@agent-registry/api', 'deploy', '--prod', join(folder, 'apps/api')];
// The pnpm that runs this script, which is not always on the path.
const { status } = spawnSync('pnpm', deploy, { cwd: root, stdio: 'inherit' });
if (status !== 0) fail('The packages that the server needs could not be installed.');
// A seventh of the size, which nothing reads at run time.
for (const file of globSync('apps/api/node_modules/.pnpm/**/*.{map,c,h}', { cwd: folder })) rmSync(join(folder, file));
for (const app of ['apps/web/dist', 'apps/console/dist']) {
  cpSync(join(root, app), join(folder, app), { recursive: true });
}
cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
cpSync(process.execPath, join(folder, 'bin/node'));
console.log(`Packed into ${folder}.`);

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
