// Checks that regular expressions of the sources take linear time. Native recheck; the flag `v` is rewritten to `u`.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { check } from 'recheck';
import rewrite from 'regexpu-core';
import { exceptions } from './expression-exceptions.ts';

/** How long one expression is checked, and of that how long texts are tried on it, in milliseconds. */
const LIMITS = { timeout: 60_000, randomSeed: 1, attackTimeout: 500, incubationTimeout: 500 };
/** How many are checked at once. */
const CONCURRENCY = 2;

const root = join(import.meta.dirname, '..');
const files = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.(?:test|soak)\.|\/testing\//.test(file),
);
/** The files of each expression. */
const expressions = new Map<string, { source: string; flags: string; files: Set<string> }>();
for (const file of files) collectLiterals(file);
for (const file of files.filter((name) => name.endsWith('.ts'))) await collectMade(file);

const beginnings = Object.keys(exceptions);
const queue = [...expressions].filter(([text]) => !beginnings.some((beginning) => text.startsWith(beginning)));
const faults = beginnings
  .filter((beginning) => ![...expressions.keys()].some((text) => text.startsWith(beginning)))
  .map((beginning) => `No expression begins with the exception ${beginning}`);
await Promise.all(Array.from({ length: CONCURRENCY }, checkQueue));
for (const fault of faults) console.error(fault);
console.log(`${expressions.size} regular expressions, ${beginnings.length} exceptions.`);
process.exitCode = faults.length > 0 ? 1 : 0;

async function checkQueue(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [text, { source, flags, files: places }] = next;
    const plain: string = flags.includes('v') ? rewrite(source, flags, { unicodeSetsFlag: 'transform' }) : source;
    const found = await check(plain, flags.replace('v', 'u'), LIMITS);
    if (found.status === 'safe') continue;
    const fault =
      found.status === 'vulnerable' ? `${found.complexity.summary}: ${found.attack.pattern}` : found.error.kind;
    faults.push(`${[...places].join(', ')}: ${text} is ${fault}`);
  }
}

function collectLiterals(file: string): void {
  const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(file, node.regex.pattern, node.regex.flags);
    },
  }).visit(program);
}

/** Collects the expressions that a module makes of parts when it is loaded. */
async function collectMade(file: string): Promise<void> {
  if (!readFileSync(join(root, file), 'utf8').includes('new RegExp(')) return;
  const Original = RegExp;
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, [source, flags = '']: [string, string?]) {
      const made = new target(source, flags);
      // Those of packages are not ours.
      if (new Error().stack?.split('\n')[2]?.includes(root)) add(file, made.source, made.flags);
      return made;
    },
  });
  await import(join(root, file));
  globalThis.RegExp = Original;
}

function add(file: string, source: string, flags: string): void {
  const text = `/${source}/${flags}`;
  const known = expressions.get(text) ?? { source, flags, files: new Set() };
  known.files.add(file);
  expressions.set(text, known);
}
