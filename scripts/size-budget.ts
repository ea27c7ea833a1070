// Checks the gzipped size of each page's first view against its size budget, chunk by chunk; e2e/first-view.spec.ts
// checks the document of the home page. `--write` records the sizes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

type Chunk = { file: string; imports?: string[] };
/** Sizes in bytes, gzipped. */
type Budget = {
  max: number;
  /** The recorded size of each chunk, by its name without the hash. */
  chunks: Record<string, number>;
};

const dist = join(import.meta.dirname, '../apps/web/dist');
const budgetFile = join(import.meta.dirname, 'size-budget.json');
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
const budgets = JSON.parse(readFileSync(budgetFile, 'utf8')) as Record<string, Budget>;
const [, styles = ''] = /<style>(.*?)<\/style>/s.exec(readFileSync(join(dist, 'index.html'), 'utf8')) ?? [];

const firstViews: Record<string, Record<string, number>> = {
  'home, scripts': readChunks(['index.html', 'src/pages/HomePage.tsx']),
  'agent, scripts': readChunks(['index.html', 'src/pages/AgentPage.tsx']),
  'all pages, styles': { 'index.html': gzipSync(styles).length },
};

for (const [name, sizes] of Object.entries(firstViews)) {
  const budget = (budgets[name] ??= { max: 0, chunks: {} });
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  const isOver = total > budget.max;
  if (isOver) process.exitCode = 1;
  console.log(`${name}: ${total} of ${budget.max} bytes gzipped${isOver ? ': OVER BUDGET' : ''}`);
  for (const [chunk, size] of Object.entries(sizes)) {
    const change = size - (budget.chunks[chunk] ?? 0);
    console.log(`  ${String(size).padStart(7)} ${chunk}${change === 0 ? '' : ` (${change > 0 ? '+' : ''}${change})`}`);
  }
  budget.chunks = sizes;
}
if (process.argv.includes('--write')) writeFileSync(budgetFile, `${JSON.stringify(budgets, null, 2)}\n`);

/** The sizes of modules' chunks and of all chunks that these import statically. */
function readChunks(modules: readonly string[]): Record<string, number> {
  const files = new Set<string>();
  const visit = (module: string) => {
    const chunk = manifest[module];
    if (!chunk) throw new Error(`The build has no chunk for ${module}.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  modules.forEach(visit);
  return Object.fromEntries(
    [...files].map((file) => [
      file.replace(/^assets\//, '').replace(/-[\w-]{8}(?=\.\w+$)/, ''),
      gzipSync(readFileSync(join(dist, file))).length,
    ]),
  );
}
