// What each page loads before anything else, gzipped, against its budget and the sizes it had when they were last written
// down. `--write` writes down those of the build there is.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

type Chunk = { file: string; imports?: string[] };
type Manifest = Record<string, Chunk>;
/** Bytes, gzipped. */
type Budget = {
  /** The most that the files may have together. */
  max: number;
  /** What each had, by its name without the hash. */
  files: Record<string, number>;
};

const root = join(import.meta.dirname, '..');
const dist = join(root, 'apps/web/dist');
const budgetFile = join(import.meta.dirname, 'size-budget.json');

/** The modules whose code a page begins with. */
const entries: Record<string, string[]> = {
  'home, scripts': ['index.html'],
  'agent, scripts': ['index.html', 'src/pages/AgentPage.tsx'],
};

const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
const page = readFileSync(join(dist, 'index.html'), 'utf8');
const styles = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = '']) => text);
const budgets = (existsSync(budgetFile) ? JSON.parse(readFileSync(budgetFile, 'utf8')) : {}) as Record<string, Budget>;

/** The bytes of each file, or of what stands in the page itself. */
const loaded: Record<string, Record<string, number>> = {
  ...Object.fromEntries(
    Object.entries(entries).map(([name, modules]) => [
      name,
      Object.fromEntries(
        [...findFiles(modules)].map((file) => [withoutHash(file), toSize(readFileSync(join(dist, file)))]),
      ),
    ]),
  ),
  'every page, styles': { 'index.html': toSize(styles.join('')) },
};

let isKept = true;
for (const [name, sizes] of Object.entries(loaded)) {
  const budget = (budgets[name] ??= { max: 0, files: {} });
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  const isWithin = !Object.values(sizes).includes(0) && total <= budget.max;
  isKept &&= isWithin;
  console.log(`${name}: ${total} of ${budget.max} bytes gzipped${isWithin ? '' : ': OVER BUDGET'}`);
  for (const file of new Set([...Object.keys(sizes), ...Object.keys(budget.files)])) {
    const [now = 0, before = 0] = [sizes[file], budget.files[file]];
    const change = now - before;
    const note = now === 0 ? ' (gone)' : change === 0 ? '' : ` (${change > 0 ? '+' : ''}${change})`;
    console.log(`  ${String(now).padStart(7)} ${file}${note}`);
  }
  budget.files = sizes;
}
if (process.argv.includes('--write')) writeFileSync(budgetFile, `${JSON.stringify(budgets, null, 2)}\n`);
if (!isKept) {
  console.log('A page loads more than its budget allows; `files` in scripts/size-budget.json is what it had before.');
  process.exitCode = 1;
}

/** The files of modules and of all that these import before they run. */
function findFiles(modules: readonly string[], found = new Set<string>()): Set<string> {
  for (const module of modules) {
    const chunk = manifest[module];
    if (!chunk) throw new Error(`The build has no module ${module}.`);
    if (found.has(chunk.file)) continue;
    found.add(chunk.file);
    findFiles(chunk.imports ?? [], found);
  }
  return found;
}

/** Gzipped, and 0 of nothing. */
function toSize(content: Buffer | string): number {
  return content.length === 0 ? 0 : gzipSync(content).length;
}

function withoutHash(file: string): string {
  return file.replace(/^assets\//, '').replace(/-[\w-]{8}(?=\.\w+$)/, '');
}
