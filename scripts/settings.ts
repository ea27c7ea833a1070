// Compares the settings in .env.example and docs/operations.md with config.ts and setting-texts.json; --write writes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultConfig, type Config } from '../apps/api/src/config.ts';
import texts from '../apps/api/src/setting-texts.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');

const settings = Object.entries(texts satisfies Record<keyof Config, string>).map(([name, text]) => {
  const { [name as keyof Config]: value = '' } = defaultConfig;
  return { name, text, value: typeof value === 'object' ? '' : String(value) };
});

const example = [
  '# Every setting with its default. Copy this file to .env to change one. Times are in milliseconds.',
  ...settings.flatMap(({ name, text, value }) => [
    '',
    wrap(text.replaceAll('`', '')),
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
  const head = ['Setting', 'Default', 'Meaning'];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const toLine = (row: readonly string[], fill: string) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  return [toLine(head, ' '), toLine(['', '', ''], '-'), ...rows.map((row) => toLine(row, ' '))].join('\n');
}

/** A comment of lines of up to 120 characters. */
function wrap(text: string): string {
  return text.replaceAll(/(.{1,118})(?: |$)/g, '# $1\n').trimEnd();
}
