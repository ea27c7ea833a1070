// A tolerant reader of JSON that knows where each string is, so that values can be removed from broken JSON as well.
import type { Cell, Edit } from './masked-text.ts';
import { REMOVED } from './masked-text.ts';

/** A string, number or other word. */
export type Scalar = Cell & { type: 'scalar'; isString: boolean };
/** A part of a JSON text. */
export type JsonNode =
  | Scalar
  | { type: 'array'; start: number; items: JsonNode[] }
  | { type: 'object'; start: number; entries: { key: Scalar; value: JsonNode }[] };
export type ObjectNode = Extract<JsonNode, { type: 'object' }>;

const MAX_DEPTH = 24;

/** Where a reader of JSON is, what comments it skipped, and where the first mistake is. */
type Reader = { text: string; at: number; comments: Edit[]; mistake: number | undefined };

function fail(reader: Reader, at = reader.at): void {
  reader.mistake ??= Math.min(at, reader.text.length);
}

const characterOf = ({ text, at }: Reader) => text.charAt(at);

function skipBlanks(reader: Reader): void {
  const { text } = reader;
  for (;;) {
    while (/\s/.test(characterOf(reader))) reader.at++;
    const { at } = reader;
    const close = text.startsWith('//', at) ? '\n' : text.startsWith('/*', at) ? '*/' : undefined;
    if (close === undefined) return;
    const found = text.indexOf(close, at);
    const end = found < 0 ? text.length : found + (close === '\n' ? 0 : 2);
    reader.comments.push({ start: at, end, text: text.slice(at, end).replaceAll(/[^\n]/g, '') });
    reader.at = end;
  }
}

function readString(reader: Reader): Scalar {
  const { text, at: start } = reader;
  let at = start + 1;
  while (at < text.length && !/["\n]/.test(text.charAt(at))) at += text.charAt(at) === '\\' ? 2 : 1;
  if (text.charAt(at) === '"') at++;
  else fail(reader, start);
  reader.at = Math.min(at, text.length);
  return { type: 'scalar', isString: true, start, end: reader.at, value: decode(text.slice(start, reader.at)) };
}

/** Reads a number, a literal, or what is neither. */
function readWord(reader: Reader): Scalar {
  const { text, at: start } = reader;
  while (reader.at < text.length && !/[\s,:{}[\]"]/.test(characterOf(reader))) reader.at++;
  if (reader.at === start) reader.at = Math.min(start + 1, text.length);
  const value = text.slice(start, reader.at);
  if (!/^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(value)) fail(reader, start);
  return { type: 'scalar', isString: false, start, end: reader.at, value };
}

/** Reads members until a sign; without braces around them, until the text goes on after the last one. */
function readMembers(reader: Reader, close: string, addMember: () => void): void {
  for (let isNext = true; ;) {
    skipBlanks(reader);
    const character = characterOf(reader);
    if (character === '' && close !== '') fail(reader);
    const isEnd = character === '' || character === close || (close === '' && !/[",]/.test(character));
    if (character === ',' || (isEnd && character === close)) reader.at++;
    if (isEnd) return;
    if (character !== ',') {
      if (!isNext) fail(reader);
      addMember();
    }
    isNext = character === ',';
  }
}

function readObject(reader: Reader, close: string, depth: number): ObjectNode {
  const start = reader.at;
  reader.at += close.length;
  const entries: ObjectNode['entries'] = [];
  readMembers(reader, close, () => {
    const key = readNode(reader, depth + 1);
    skipBlanks(reader);
    if (key.type === 'scalar' && characterOf(reader) === ':') {
      reader.at++;
      skipBlanks(reader);
      entries.push({ key, value: readNode(reader, depth + 1) });
    } else {
      fail(reader);
      entries.push({ key: { type: 'scalar', isString: true, start, end: start, value: '' }, value: key });
    }
  });
  return { type: 'object', start, entries };
}

function readNode(reader: Reader, depth: number): JsonNode {
  const character = characterOf(reader);
  if (character === '"') return readString(reader);
  if (depth >= MAX_DEPTH) return readWord(reader);
  if (character === '{') return readObject(reader, '}', depth);
  if (character !== '[') return readWord(reader);
  const start = reader.at++;
  const items: JsonNode[] = [];
  readMembers(reader, ']', () => items.push(readNode(reader, depth + 1)));
  return { type: 'array', start, items };
}

/** Reads the JSON text at a place, with comments and trailing commas, also one without the braces around it. */
export function parseNodes(text: string, from: number) {
  const reader: Reader = { text, at: from, comments: [], mistake: undefined };
  skipBlanks(reader);
  const root = characterOf(reader) === '"' ? readObject(reader, '', 0) : readNode(reader, 0);
  const { comments, at: end, mistake } = reader;
  return { root, comments, end, mistake };
}

function decode(raw: string): string {
  try {
    return JSON.parse(raw) as string;
  } catch {
    return raw.replaceAll('"', '');
  }
}

/** The edits that leave of a JSON text what its nodes show. */
export function toEdits(node: JsonNode): Edit[] {
  if (node.type === 'array') return node.items.flatMap(toEdits);
  if (node.type === 'object') return node.entries.flatMap(({ value }) => toEdits(value));
  const shown = node.shown ?? REMOVED;
  if (shown === node.value) return [];
  return [{ start: node.start, end: node.end, text: JSON.stringify(shown) }];
}

/** The plain value of a node, of which texts are what is shown. */
export function toValue(node: JsonNode): unknown {
  if (node.type === 'array') return node.items.map(toValue);
  if (node.type === 'object')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.value, toValue(value)]));
  const shown = node.shown ?? REMOVED;
  return node.isString || shown !== node.value ? shown : (JSON.parse(wordOf(shown)) as unknown);
}

const wordOf = (word: string) => (/^(?:true|false)$/.test(word) ? word : 'null');

/** The member of an object, or undefined. */
export function memberOf(node: ObjectNode, ...names: string[]): JsonNode | undefined {
  return node.entries.find(({ key }) => names.includes(key.value))?.value;
}

/** The text of a member of an object, or undefined. */
export function textOf(node: ObjectNode, ...names: string[]): Scalar | undefined {
  const member = memberOf(node, ...names);
  return member?.type === 'scalar' && member.isString ? member : undefined;
}
