import type { fileReaders } from '../website-files/file-worker.ts';

/** A file that a hostile website could serve. */
export type HostileFile = {
  name: string;
  /** The reader that gets it. */
  kind: keyof typeof fileReaders;
  type: string;
  /** Makes the file, of about this many characters. */
  make: (length: number) => string;
};

/** Repeats a text up to a length. */
const fill = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

const pages: Record<string, (length: number) => string> = {
  'one letter': (length) => fill('a', length),
  blanks: (length) => fill(' ', length),
  'a title of blanks': (length) => `<title>a${fill(' ', length)}b</title>`,
  'a title of dashes': (length) => `<title>${fill(' –', length)}</title>`,
  'a title of combining marks': (length) => `<title>a${fill('\u0301', length)}</title>`,
  'a title that is not closed': (length) => `<title>${fill('<', length)}`,
  'deep open elements': (length) => fill('<b>', length),
  'deep open elements of different names': (length) => {
    const tags = Array.from({ length: Math.ceil(length / 8) }, (_, index) => `<a-${index}>`);
    return tags.join('').slice(0, length);
  },
  'end tags without elements': (length) => `${fill('<i>', 1_500)}${fill('</b>', length)}`,
  'open templates': (length) => fill('<template>', length),
  'forms in forms': (length) => fill('<form>', length),
  'paragraphs in elements': (length) => fill('<p><div>', length),
  'svg in svg': (length) => fill('<svg><title>', length),
  'thousands of attributes': (length) => {
    const names = Array.from({ length: Math.ceil(length / 7) }, (_, index) => ` a${index}=b`);
    return `<meta${names.join('').slice(0, length)}>`;
  },
  'one attribute': (length) => `<meta name="description" content="${fill('a ', length)}">`,
  'an attribute of blanks': (length) => `<meta name="og:site_name" content="a${fill(' ', length)}b">`,
  references: (length) => `<title>${fill('&amp;', length)}</title>`,
  'references without an end': (length) => fill('&', length),
  'open comments': (length) => fill('<!--', length),
  'elements of a head': (length) => fill('<meta name=agent-registry content=a>', length),
  scripts: (length) => fill('<script type="application/ld+json">{}</script>', length),
  'deep JSON-LD': (length) => toScript(`${fill('[', length / 2)}${fill(']', length / 2)}`),
  'deep graphs of JSON-LD': (length) => toScript(fill('{"@graph":', length) + '0'),
  'a JSON-LD type without an end': (length) => toScript(JSON.stringify({ '@type': fill('/Software', length) })),
  'JSON-LD with many nodes': (length) => toScript(`[${fill('{},', length)}{}]`),
  'JSON-LD with many prices': (length) =>
    toScript(JSON.stringify({ '@type': 'WebApplication', offers: fillList({ price: '9' }, length) })),
};

const toScript = (json: string) => `<script type="application/ld+json">${json}</script>`;

/** A list of one value, of about this many characters as JSON. */
function fillList(value: unknown, length: number): unknown[] {
  return Array<unknown>(Math.ceil(length / (JSON.stringify(value).length + 1))).fill(value);
}

/** An agent card whose only skill has these fields. */
const toCard = (skill: object, name = 'A') => JSON.stringify({ protocolVersion: '1.0', name, skills: [skill] });

const files: Record<string, (length: number) => string> = {
  'deep arrays': (length) => fill('[', length),
  'a card with one word 130,000 times': (length) => toCard({ tags: [fill('a ', length)] }),
  'a card with many tags': (length) => toCard({ name: 'A', tags: fillList('a', length) }),
  'a card with different tags': (length) =>
    toCard({ tags: Array.from({ length: length / 8 }, (_, index) => index.toString(36)) }),
  'a card with a name of blanks': (length) => toCard({}, `a${fill(' ', length)}b`),
  'a card with a name of marks': (length) => toCard({}, `a${fill('\u0301', length)}`),
  'a card with a name of flags': (length) => toCard({}, fill('\u{1F3F4}\u{E0067}', length)),
  'a card with a name that normalising lengthens': (length) => toCard({}, fill('\u{FDFA}', length)),
  'a card with a tag that normalising lengthens': (length) => toCard({ tags: [fill('\u{FDFA}', length)] }),
  'a card with many skills': (length) => JSON.stringify({ name: 'A', skills: fillList({ name: 'a' }, length) }),
  'a card with many examples': (length) => toCard({ examples: fillList('What is this?', length) }),
  'an AI catalog with many entries': (length) => JSON.stringify({ entries: fillList({ identifier: 'urn:' }, length) }),
  'an AI catalog with one long entry': (length) =>
    JSON.stringify({ identifier: 'urn:air:a', displayName: 'A', description: fill(' \u200B', length) }),
  'an MCP server with a long name': (length) => JSON.stringify({ name: fill('a.', length), remotes: [] }),
  'an MCP server with many remotes': (length) =>
    JSON.stringify({ name: 'a/b', title: 'A', remotes: fillList({ url: 'x' }, length) }),
  'many keys': (length) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: length / 10 }, (_, index) => [`a${index}`, 0]))),
};

const robots: Record<string, (length: number) => string> = {
  'many rules': (length) => `User-agent: *\n${fill('Disallow: /a\n', length)}`,
  'many wildcards': (length) => `User-agent: *\nDisallow: /${fill('*', length)}`,
  'many agents and rules': (length) => `${fill('User-agent: *\n', length / 2)}${fill('Disallow: /\n', length / 2)}`,
  'line breaks': (length) => fill('\r', length),
  escapes: (length) => `User-agent: *\nDisallow: /${fill('%41', length)}`,
};

const toRows = (made: typeof pages, { kind, type }: Pick<HostileFile, 'kind' | 'type'>): HostileFile[] =>
  Object.entries(made).map(([name, make]) => ({ name: `${kind}: ${name}`, kind, type, make }));

/** Hostile files for each reader of strangers' files. */
export const hostileFiles: readonly HostileFile[] = [
  ...toRows(pages, { kind: 'descriptions', type: 'text/html' }),
  ...toRows(pages, { kind: 'challenges', type: 'text/html' }),
  ...toRows(files, { kind: 'descriptions', type: 'application/json' }),
  ...toRows(robots, { kind: 'robots', type: 'text/plain' }),
];
