// Compares the settings in .env.example and docs/operations.md with config.ts and setting-texts.json; --write writes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultConfig, settingNames } from '../apps/api/src/config.ts';
import texts from '../apps/api/src/setting-texts.json' with { type: 'json' };

type Setting = { name: string; text: string; value: string };

const root = join(import.meta.dirname, '..');
const defaults: Record<string, unknown> = defaultConfig;

const topics = Object.entries<Record<string, string>>(texts).map(([topic, entries]) => ({
  topic,
  settings: Object.entries(entries).map(([name, text]): Setting => {
    const value = defaults[name];
    return { name, text, value: typeof value === 'string' || typeof value === 'number' ? `${value}` : '' };
  }),
}));

const described = topics.flatMap(({ settings }) => settings.map(({ name }) => name));
const missing = settingNames.filter((name) => !described.includes(name));
const unknown = described.filter((name) => !settingNames.includes(name));
if (missing.length + unknown.length > 0) {
  console.error(
    `setting-texts.json lacks: ${missing.join(', ') || 'none'}; names no setting: ${unknown.join(', ') || 'none'}`,
  );
  process.exitCode = 1;
}

const example = [
  '# Every setting with its default. Copy this file to .env to change one. Times are in milliseconds.',
  ...topics.flatMap(({ topic, settings }) => ['', `## ${topic}`, ...settings.flatMap(toExample)]),
  '',
].join('\n');

const guide = readFileSync(join(root, 'docs/operations.md'), 'utf8').replace(
  /(<!-- settings -->\n).*(?=<!-- \/settings -->)/s,
  (_, start: string) =>
    `${start}\n${topics.map(({ topic, settings }) => `### ${topic}\n\n${settings.map(toItem).join('\n')}\n\n`).join('')}`,
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

function toExample({ name, text, value }: Setting): string[] {
  return ['', wrap(text.replaceAll('`', ''), '# '), value === '' ? `# ${name}=` : `${name}=${value}`];
}

function toItem({ name, text, value }: Setting): string {
  return wrap(`**\`${name}\`**${value === '' ? '' : ` (\`${value}\`)`}: ${text}`, '  ').replace('  ', '- ');
}

/** Lines of up to 120 characters that begin with the same two. */
function wrap(text: string, start: string): string {
  return text.replaceAll(/(.{1,118})(?: |$)/g, `${start}$1\n`).trimEnd();
}
