import { cutText, MAX_CAPABILITY_LENGTH, type Json } from '@agent-registry/contracts';

/** A list item, a heading, a fence of code, and the address of a link that is named elsewhere. */
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s(.*)$/;
const HEADING = /^ {0,3}(#{1,6})\s(.*)$/;
const FENCE = /^\s*(?:```|~~~)/;
const DEFINITION = /^ {0,3}\[([^[\]]+)\]:\s*<?(https?:[^\s<>]+)/i;
/** A link at the start, also in bold: its text, and its address or the name of one. */
const LINK =
  /^[*_]{0,3}\[((?:[^[\]]|\[[^[\]]*\])*)\](?:\(\s*<?([^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s[^()]*)?\)|\[([^[\]]*)\])?[*_]{0,3}/;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * Reads the agents of an awesome-list in Markdown, in linear time: a list item that begins with a link is one, the text
 * behind it describes it, and the headings above are its capabilities; the lowest one may name its category.
 */
export function readMarkdownList(text: string): Json[] {
  const lines = text.split(/\r\n|[\r\n]/);
  const definitions = new Map(
    lines.flatMap((line) => {
      const [, name, url] = DEFINITION.exec(line) ?? [];
      return name === undefined ? [] : [[name.toLowerCase(), url]];
    }),
  );
  const items: { text: string; headings: readonly string[] }[] = [];
  const headings: string[] = [];
  let [isCode, isItem] = [false, false];
  for (const line of lines) {
    if (FENCE.test(line)) isCode = !isCode;
    const [, marks = '', title = ''] = isCode ? [] : (HEADING.exec(line) ?? []);
    const [, item] = isCode ? [] : (ITEM.exec(line) ?? []);
    if (marks !== '') {
      headings.length = Math.min(headings.length, marks.length - 1);
      headings[marks.length - 1] = toPlain(title);
    } else if (item !== undefined) items.push({ text: item, headings: [...headings] });
    // A paragraph goes on until a blank line.
    else if (isItem && !isCode && line.trim() !== '') (items.at(-1) as { text: string }).text += ` ${line.trim()}`;
    isItem = item !== undefined || (isItem && marks === '' && !isCode && line.trim() !== '');
  }
  return items.flatMap((item) => readItem(item.text, item.headings, definitions));
}

function readItem(
  text: string,
  headings: readonly string[],
  definitions: ReadonlyMap<string, string | undefined>,
): Json[] {
  const content = withoutImages(text);
  const [link = '', name = '', address, named] = LINK.exec(content) ?? [];
  const website = address ?? definitions.get((named || name).toLowerCase());
  // Links within the document are its table of contents.
  if (!/^https?:\/\//i.test(website ?? '')) return [];
  // Without the title of the list.
  const capabilities = headings.slice(1).filter((one) => one !== '' && cutText(one, MAX_CAPABILITY_LENGTH) === one);
  const description = toPlain(content.slice(link.length)).replace(/^[\s\-–—:|.]+/u, '');
  return [{ name: toPlain(name), website, description, capabilities, category: capabilities.at(-1) }];
}

function withoutImages(text: string): string {
  return text
    .replaceAll(/!\[[^[\]]*\](?:\([^()]*\)|\[[^[\]]*\])/g, '')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .trim();
}

function toPlain(text: string): string {
  return withoutImages(text)
    .replaceAll(/\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replaceAll(/`|\*|(?<![\p{L}\d])_|_(?![\p{L}\d])/gu, '')
    .replaceAll(/&(?:#(\d{1,6})|([a-z]{2,4}));/g, (entity, code: string | undefined, name: string) =>
      code === undefined ? (entities[name] ?? entity) : String.fromCodePoint(Number(code)),
    )
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
