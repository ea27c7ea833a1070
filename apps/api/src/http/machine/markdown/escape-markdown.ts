import { replaceHidden } from '@agent-registry/contracts';

const LINE_BREAK = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;
const BLANK = /[\t\n\v\f\r\x85\u2028\u2029]/g;
// A colon or a dot before a letter may be in an address, which dialects make a link of. Beginnings of blocks come last.
const SYNTAX = /[\\`*_{}[\]<>#|~&$^@]|[:.](?=\S)|(?<=www)\.|^[-+=:]|(?<=^\d{1,9})[.)]/gi;

/** Escapes a text for one line of Markdown. Control characters and those that change the direction are removed. */
export function escapeMarkdown(text: string): string {
  return toLine(text).replaceAll(SYNTAX, String.raw`\$&`);
}

/** Writes a text as code, in which models read addresses as they are; one that code cannot have is escaped. */
export function codeMarkdown(text: string): string {
  return text.includes('`') ? escapeMarkdown(text) : `\`${toLine(text)}\``;
}

function toLine(text: string): string {
  return replaceHidden(text.replaceAll(BLANK, ' '), () => '').trim();
}

export function quoteMarkdown(text: string): string {
  const lines = text.split(LINE_BREAK).map(escapeMarkdown);
  return lines.map((line, index) => (line === '' ? '>' : `> ${line}${lines[index + 1] ? '\\' : ''}`)).join('\n');
}

/** Writes a Markdown link to an address of this registry, or one that is written as a destination. */
export function linkMarkdown(text: string, url: string): string {
  return `[${escapeMarkdown(text)}](${url})`;
}

export function listMarkdown(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
