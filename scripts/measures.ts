// Prints how large the project is and checks it against limits. They never rise: a change that needs room takes something out
// first.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { circular, upwardArrows } from './imports.ts';

const root = join(import.meta.dirname, '..');
const sources = read(['{apps,packages}/*/**/*.{ts,tsx,html,js}']).filter(
  ({ name }) => !/\.(?:test|spec|soak)\.|\/testing\/|\.config\./.test(name),
);
const documents = read(['{ARCHITECTURE,CONTRIBUTING,SECURITY}.md', 'docs/**/*.md']);

/** Each measure with its limit. */
const measures: Record<string, [value: number, limit: number]> = {
  'source lines': [sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0), 49_263],
  'source files': [sources.length, 496],
  'files that name the filter `proved`': [countNaming('proved'), 14],
  'files that name the field `exampleTasks`': [countNaming('exampleTasks'), 7],
  'files in circles of imports': [circular.length, 0],
  'arrows upwards': [upwardArrows.length, 0],
  'words of documents': [documents.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0), 14_000],
};

for (const [name, [value, limit]] of Object.entries(measures)) {
  const isOver = value > limit;
  if (isOver) process.exitCode = 1;
  console.log(`${name}: ${value} of ${limit}${isOver ? ': OVER THE LIMIT' : ''}`);
}

for (const fault of [...circular, ...upwardArrows]) console.log(`- ${fault}`);

function read(patterns: string[]): { name: string; text: string }[] {
  const names = globSync(patterns, { cwd: root, exclude: ['**/node_modules', '**/dist', '**/.turbo'] });
  return names.map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
}

function countNaming(word: string): number {
  return sources.filter(({ text }) => new RegExp(String.raw`\b${word}\b`).test(text)).length;
}
