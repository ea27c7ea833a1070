// Checks the size of the packages that a start installs: those of the root, and of the workspace packages that it
// depends on.
import { existsSync, globSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

type Manifest = Partial<
  Record<'dependencies' | 'devDependencies' | 'optionalDependencies' | 'peerDependencies', object>
>;

/** Bytes in files, each inode once; about 361 MB on Linux x64 from an empty store, of which Node takes 132. */
const MAX_SIZE = 370e6;

const root = realpathSync(join(import.meta.dirname, '..'));
const store = join(root, 'node_modules/.pnpm');
const folders = new Set<string>();
const inodes = new Set<number>();
visit(root);
const sizes = [...folders]
  .filter((folder) => folder.startsWith(store))
  .map((folder) => [folder, sizeOf(folder)] as const);
const total = sizes.reduce((sum, [, size]) => sum + size, 0);
console.log(`A start installs ${sizes.length} packages, ${toMegabytes(total)} of ${toMegabytes(MAX_SIZE)} MB.`);
for (const [folder, size] of sizes.toSorted(([, a], [, b]) => b - a).slice(0, 10)) {
  console.log(`  ${toMegabytes(size).padStart(5)} ${folder.slice(store.length + 1).split('/node_modules/')[1]}`);
}
if (total > MAX_SIZE) {
  console.log('OVER BUDGET: move what a start does not need to `test-tools`.');
  process.exitCode = 1;
}

/** Collects the folders of a package and of the packages that it depends on. */
function visit(folder: string): void {
  if (folders.has(folder)) return;
  folders.add(folder);
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Manifest;
  const isOfWorkspace = !folder.startsWith(store);
  const names = Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...peerDependencies,
    ...(isOfWorkspace && devDependencies),
  });
  // The dependencies of an installed package are beside it.
  const modules = isOfWorkspace
    ? join(folder, 'node_modules')
    : folder.slice(0, folder.lastIndexOf('/node_modules/') + '/node_modules'.length);
  for (const name of names) {
    const path = join(modules, name);
    // Packages of other platforms and optional peers are not there.
    if (existsSync(path)) visit(realpathSync(path));
  }
}

/** Bytes of the files of a folder that no folder before it had, by another link. */
function sizeOf(folder: string): number {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, file) => {
    const { ino, size } = lstatSync(join(file.parentPath, file.name));
    if (inodes.has(ino)) return sum;
    inodes.add(ino);
    return sum + size;
  }, 0);
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
