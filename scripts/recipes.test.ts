import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runsAll } from '@agent-registry/api/testing/tier';

const root = join(import.meta.dirname, '..');

/** What the recipes of CONTRIBUTING change in a file: a text that stands in it, and what stands there afterwards. */
type Edit = [file: string, text: string | RegExp, replacement: string];

const keptList = 'apps/web/src/features/compare/keep.test.tsx';
const contracts = 'packages/contracts/src';
const schema = 'apps/api/src/db/schema';

const licence: Edit[] = [
  [
    `${contracts}/fields.ts`,
    '  rating: {',
    `  licence: {
    kind: 'text',
    label: 'Licence',
    bounds: { max: 60, isLine: true },
    isOptional: true,
    history: 'public',
  },
  rating: {`,
  ],
  [
    `${contracts}/agent.ts`,
    '    rating: z.number()',
    `    licence: z.string().optional().meta(doc('The licence of its code; absent if that is not known.', 'MIT')),
    rating: z.number()`,
  ],
  [`${schema}/agent-tables.ts`, '      rating numeric', '      licence text,\n      rating numeric'],
  [keptList, '} satisfies {', "  licence: ['MIT', 'Apache-2.0', 'Licence MIT → Apache-2.0'],\n} satisfies {"],
  [`${schema}/create-schema.ts`, /'00\d\d-schema'/, "'0099-schema'"],
];

/** A field with options, and the filter by it. */
const language: Edit[] = [
  [
    `${contracts}/fields.ts`,
    '  rating: {',
    `  language: {
    kind: 'options',
    label: 'Language',
    options: [
      { value: 'any', label: 'Any language' },
      { value: 'english', label: 'English only' },
    ],
    default: 'any',
    history: 'public',
  },
  rating: {`,
  ],
  [
    `${contracts}/agent.ts`,
    '    rating: z.number()',
    `    language: optionSchema('language').default('any').meta(doc('What it can be asked in.', 'english')),
    rating: z.number()`,
  ],
  [
    `${contracts}/filters.ts`,
    "  { name: 'connects',",
    `  {
    name: 'language',
    kind: 'options',
    field: 'language',
    label: fields.language.label,
    options: fields.language.options,
  },
  { name: 'connects',`,
  ],
  [
    `${contracts}/requests.ts`,
    '  connects: { description',
    `  language: { description: 'Only agents that can be asked in one of these.' },
  connects: { description`,
  ],
  [
    `${schema}/agent-tables.ts`,
    '      rating numeric',
    "      language text NOT NULL DEFAULT 'any',\n      rating numeric",
  ],
  [keptList, '} satisfies {', "  language: ['any', 'english', 'Language Any language → English only'],\n} satisfies {"],
  [`${schema}/agent-tables.ts`, "'api_access', 'connects'", "'api_access', 'language', 'connects'"],
  [
    `${schema}/agent-tables.ts`,
    '      api_access text NOT NULL,',
    '      api_access text NOT NULL,\n      language text NOT NULL,',
  ],
  [`${schema}/agent-tables.ts`, "VALUES ('', '', '', 0", "VALUES ('', '', '', '', 0"],
  ['apps/api/src/db/engine.ts', "api_access: '', ", "api_access: '', language: '', "],
  // Tests that write every field themselves.
  ['apps/api/src/search/token-index.test.ts', '        rating: 0,', "        language: 'any',\n        rating: 0,"],
  ['e2e/entry-facts.spec.ts', '  rating: 0,', "  language: 'any',\n  rating: 0,"],
];

// It installs, lints and tests the whole copy.
test.runIf(runsAll)(
  'the recipes for a field and for a filter lead to a registry that passes its checks',
  { timeout: 600_000 },
  () => {
    const copy = mkdtempSync(join(tmpdir(), 'agent-registry-recipes-'));
    try {
      const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
      for (const file of files.split('\0').filter(Boolean)) cpSync(join(root, file), join(copy, file));
      for (const [file, text, replacement] of [...licence, ...language]) {
        const source = readFileSync(join(copy, file), 'utf8');
        const changed = source.replace(text, replacement);
        expect(changed, `${file}: ${text.toString()}`).not.toBe(source);
        writeFileSync(join(copy, file), changed);
      }
      run('pnpm install --recursive --offline --frozen-lockfile');
      run('pnpm format');
      run('pnpm exec vitest run list-queries --update');
      run('pnpm check');
      run('pnpm exec vitest run fields openapi filters');
    } finally {
      rmSync(copy, { recursive: true });
    }

    function run(command: string): void {
      const { status, stdout, stderr } = spawnSync(command, { cwd: copy, encoding: 'utf8', shell: true });
      if (status !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`);
    }
  },
);
