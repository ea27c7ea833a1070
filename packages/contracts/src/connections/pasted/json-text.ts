// JSON as people paste it: with comments and trailing commas, without the braces around it, broken.
import { parseJson } from '../../json-paths.ts';
import { isAddress, maskUrl, REMOVED } from './mask.ts';

const TOKEN = /\s+|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^\n])*"?|[{}[\]:,]|[^\s{}[\]:,"]+/y;
/** Members whose texts are no values of secrets. */
const SHOWN =
  /^"(?:type|transport|url|serverUrl|httpUrl|kind|registry|registryType|registryBaseUrl|identifier|version|sha256|fileSha256|command|card|format)"$/;

/** Deepest JSON text that is read, in objects and lists inside of each other. */
const MAX_DEPTH = 64;

/** Reads the JSON text at a place: its value, or undefined where it has a mistake, its end, and what may be shown of it. */
export function readJsonText(text: string, from = 0): { value: unknown; end: number; masked: string } {
  const isBare = text.charAt(from) === '"';
  const tokens: string[] = [];
  const shown: string[] = [];
  let [at, depth, deepest, key, last] = [from, 0, 0, '', ','];
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0] ?? '';
    const isBlank = /^(?:\s|\/[/*])/.test(token);
    // The next block begins.
    if (isBare && depth === 0 && !isBlank && (last === ',' ? token[0] !== '"' : last === '' && token !== ',')) break;
    at += token.length || 1;
    if (isBlank) {
      if (!token.startsWith('/')) shown.push(token);
      continue;
    }
    if (/[}\]]/.test(token)) {
      depth--;
      if (last === ',' && tokens.length > 1) tokens.pop();
    }
    tokens.push(token);
    const isKey = token[0] === '"' && /^\s*:/.test(text.slice(at, at + 20));
    shown.push(isKey || /^[{}[\]:,]$/.test(token) ? maskKey(token) : maskValue(token, key));
    if (/[{[]/.test(token)) deepest = Math.max(deepest, ++depth);
    if (isKey) key = token;
    last = /^[:,{[]$/.test(token) ? token : isKey ? ':' : '';
    if (depth <= 0 && !isBare) break;
  }
  if (isBare && tokens.at(-1) === ',') tokens.pop();
  const json = tokens.join(' ');
  const value = deepest > MAX_DEPTH ? undefined : parseJson(isBare ? `{${json}}` : json);
  return { value, end: at, masked: shown.join('').trim() };
}

function maskKey(token: string): string {
  return /^(?:[{}[\]:,]|"[\w.$@ /-]{1,64}")$/.test(token) ? token : `"${REMOVED}"`;
}

/** A text is shown where its member is no secret, other words where JSON has them. */
function maskValue(token: string, key: string): string {
  if (token[0] !== '"') return /^(?:true|false|null)$/.test(token) ? token : REMOVED;
  const value = token.slice(1).replace(/"$/, '');
  if (!SHOWN.test(key)) return `"${REMOVED}"`;
  if (isAddress(value)) return JSON.stringify(maskUrl(value));
  return /^[\w@./:-]{1,100}$/.test(value) && key !== '"command"' ? `"${value}"` : `"${REMOVED}"`;
}
