// With schemas, the home of what a text of an agent may contain. The first view of the web app does not load it.
import { countCharacters, cutText, toMaxUnits } from './characters.ts';
import { formatCount } from './format.ts';

/** Most combining marks on one letter: the longest stack of a living script, in Tibetan, has eight. */
const MAX_MARKS = 8;
/** Most invisible characters in a row: emoji need two, and longer runs can encode a text. */
const MAX_INVISIBLE_RUN = 4;
// A text needs at least one visible character. Fillers and the empty Braille pattern are letters and symbols, but blank.
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;
const LINE_BREAK = /[\n\v\f\r\x85\u2028\u2029]/;
// England, Scotland and Wales: the only use of tag characters.
const TAGGED_FLAG = /\p{RGI_Emoji_Tag_Sequence}/gv;
// Characters that no text format accepts.
const BROKEN = String.raw`[\p{Cc}--[\t\n\r]]\p{Surrogate}\p{Noncharacter_Code_Point}`;
// Soft hyphen, joiners, marks of direction, variation selectors, and the letters of scripts that are invisible.
const MEANINGFUL = String.raw`\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u3164\uFE00-\uFE0F\uFFA0\u{E0100}-\u{E01EF}`;
// In texts of several lines, embeddings and isolates end with their paragraph. Overrides are not among them.
const EMBEDDING = String.raw`\u202A-\u202C\u2066-\u2069`;
// Variation selectors come one at a time, and those of the supplement after an ideograph only. Doubled emoji selectors
// are a frequent mistake of editors.
const MISPLACED = String.raw`(?<!\p{Ideographic})[\u{E0100}-\u{E01EF}]|(?<=\p{Variation_Selector})[\p{Variation_Selector}--\uFE0F]`;
const BROKEN_CHARACTER = new RegExp(`[${BROKEN}]`, 'gv');
const HIDDEN_IN_LINE = toHidden(String.raw`\t`, MEANINGFUL);
const HIDDEN_IN_LINES = toHidden('', MEANINGFUL + EMBEDDING);
const HIDDEN_OR_FLAG = new RegExp(String.raw`(\p{RGI_Emoji_Tag_Sequence})|${HIDDEN_IN_LINE.source}`, 'gv');
const INVISIBLE_RUN = new RegExp(String.raw`\p{Default_Ignorable_Code_Point}{${MAX_INVISIBLE_RUN + 1}}`, 'u');
// Invisible characters between marks do not separate them.
const STACK = new RegExp(String.raw`(?:\p{M}[\p{Default_Ignorable_Code_Point}--\p{M}]*){${MAX_MARKS + 1}}`, 'v');

/** The bounds of a text: its characters as people see them, and whether it is one line, which stands inside other texts. */
export type TextBounds = { min?: number; max: number; isLine?: boolean };

export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/**
 * What is wrong with a text, as the end of a sentence about its field; undefined if nothing is.
 * @example findTextFault('x'.repeat(101), { max: 100 }) // 'can have at most 100 characters'
 */
export function findTextFault(text: string, { min = 1, max, isLine = false }: TextBounds): string | undefined {
  if (cutText(text, max, Infinity) !== text) return `can have at most ${formatCount(max)} characters`;
  if (!VISIBLE.test(text)) return 'must have visible characters';
  if (min > 1 && countCharacters(text) < min) return `must have at least ${formatCount(min)} characters`;
  if (isLine && LINE_BREAK.test(text)) return 'must be one line';
  const fault = findHiddenText(text, isLine);
  if (fault !== undefined) return fault;
  return text.length > toMaxUnits(max) ? 'must have fewer letters and emoji that are made of several parts' : undefined;
}

/** What of a text people cannot see or read, as the end of a sentence about its field. */
export function findHiddenText(text: string, isLine: boolean): string | undefined {
  const checked = text.replaceAll(TAGGED_FLAG, '\u{1F3F4}');
  // `search`, since `exec` would continue after the last match.
  const at = checked.search(isLine ? HIDDEN_IN_LINE : HIDDEN_IN_LINES);
  if (at !== -1) return `must not have the invisible character ${toCodePoint(checked, at)}`;
  if (INVISIBLE_RUN.test(checked)) return `must not have ${MAX_INVISIBLE_RUN + 1} invisible characters in a row`;
  return STACK.test(checked) ? `must not have more than ${MAX_MARKS} marks on one letter` : undefined;
}

/** Replaces the invisible characters that a text of one line must not have. */
export function replaceHidden(text: string, replace: (character: string) => string): string {
  return text.replaceAll(HIDDEN_OR_FLAG, (found, flag: string | undefined) => flag ?? replace(found));
}

/** Removes the characters that neither XML nor HTML nor CSV accepts: control characters, noncharacters, lone surrogates. */
export function removeBroken(text: string): string {
  return text.replaceAll(BROKEN_CHARACTER, '');
}

/** Escapes in JSON the characters that HTML and XML do not accept; the values stay the same. */
export function escapeBroken(json: string): string {
  return json.replaceAll(BROKEN_CHARACTER, escapeInJson);
}

export function escapeInJson(character: string): string {
  return character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Matches interlinear annotation and invisible characters that mean nothing to people, such as tags and overrides. */
function toHidden(others: string, meaningful: string): RegExp {
  const invisible = String.raw`[\p{Default_Ignorable_Code_Point}--[${meaningful}]]`;
  return new RegExp(String.raw`[${BROKEN}${others}\uFFF9-\uFFFB${invisible}]|${MISPLACED}`, 'v');
}

function toCodePoint(text: string, at: number): string {
  const code = text.codePointAt(at) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Escapes a text for an element or a quoted attribute; characters that XML 1.0 forbids are removed. */
export function escapeXml(text = ''): string {
  return removeBroken(text).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Browsers post the texts of forms with CRLF, and show a text with any line breaks as one with line feeds. */
export function normalizeLineEndings(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
