// Compares the settings in .env.example and docs/operations.md with config.ts and setting-texts.json; --write writes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultConfig, type Config } from '../apps/api/src/config.ts';
import texts from '../apps/api/src/setting-texts.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const WIDTH = 120;
// Their defaults depend on the machine.
const derived: ReadonlySet<string> = new Set(['MAX_CONNECTIONS', 'WEB_DIR']);

const settings = Object.entries(texts satisfies Record<keyof Config, string>).map(([name, text]) => {
  const value = defaultConfig[name as keyof Config];
  return { name, text, value: derived.has(name) || value === undefined ? '' : String(value) };
});

const example = [
  '# Every setting with its default. Copy this file to .env to change one. Times are in milliseconds.',
  ...settings.flatMap(({ name, text, value }) => [
    '',
    ...wrap(text.replaceAll('`', '')),
    value === '' ? `# ${name}=` : `${name}=${value}`,
  ]),
  '',
].join('\n');

const guide = readFileSync(join(root, 'docs/operations.md'), 'utf8').replace(
  /(<!-- settings -->\n).*(?=<!-- \/settings -->)/s,
  (_, start: string) => `${start}\n${toTable()}\n\n`,
);

for (const [file, text] of Object.entries({ '.env.example': example, 'docs/operations.md': guide })) {
  const path = join(root, file);
  if (readFileSync(path, 'utf8') === text) continue;
  if (process.argv.includes('--write')) {
    writeFileSync(path, text);
  } else {
    console.error(`${file} differs from the settings of config.ts. Run: npx -y pnpm@12 settings --write`);
    process.exitCode = 1;
  }
}

/** A table as oxfmt writes it. */
function toTable(): string {
  const rows = settings.map(({ name, text, value }) => [`\`${name}\``, value === '' ? '' : `\`${value}\``, text]);
  const cells = [['Setting', 'Default', 'Meaning'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]!.length)));
  const toLine = (row: readonly string[], fill = ' ') =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!, fill)).join(' | ')} |`;
  return [toLine(cells[0]!), toLine(['', '', ''], '-'), ...cells.slice(1).map((row) => toLine(row))].join('\n');
}

/** The lines of a comment. */
function wrap(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines.at(-1)!.length + word.length + 3 > WIDTH) lines.push('');
    lines.push(`${lines.pop()} ${word}`);
  }
  return lines.map((line) => `#${line}`);
}
