// Checks that the styles of the site and the console have no font size, weight, radius or space but those of
// apps/web/src/theme.ts and apps/web/src/styles/tokens.css.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The values that a property can have. */
const tokens: [property: RegExp, values: RegExp][] = [
  [/^font-size$/, /inherit|var\(--(?:mantine-(?:font-size-\w+|h\d-font-size)|(?:field-font|display|title)-size)\)/g],
  [/^font$/, /inherit/g],
  [/^font-weight$/, /inherit|400|550|650|680/g],
  // Circles, too.
  [/radius$/, /0|50%|inherit|var\(--mantine-radius-\w+\)/g],
  [/^(?:(?:row-|column-)?gap|(?:margin|padding)[a-z-]*)$/, /0|auto|inherit|var\(--(?:mantine-spacing-\w+|gutter)\)/g],
];
/** What can stand beside them: a minus, the unsafe area of a phone. */
const glue = /calc\(|-1 \*|\+ env\(safe-area-inset-bottom\)|\)|\s/g;

const root = join(import.meta.dirname, '..');
for (const file of globSync('apps/{web,console}/src/**/*.css', { cwd: root })) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const [, property = '', value = ''] of text.matchAll(/^\s*([a-z-]+):\s([^;{}]+);/gm)) {
    const [, values] = tokens.find(([kind]) => kind.test(property)) ?? [];
    if (!values || value.replaceAll(values, '').replaceAll(glue, '') === '') continue;
    console.error(`${file}: ${property}: ${value} is no token.`);
    process.exitCode = 1;
  }
}
