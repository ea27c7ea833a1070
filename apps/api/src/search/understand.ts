import { hasOperators, MAX_PASTE_LENGTH, MAX_SEARCH_LENGTH, parseText, toPlainText } from '@agent-registry/contracts';
import { toFieldToken } from './agent-tokens.ts';
import { cut } from './analyze.ts';
import { isName } from './find-named.ts';
import { ranking } from './ranking.ts';
import type { TokenReader } from './token-index.ts';
import { writeAlternative } from './write-alternative.ts';
import { writeExclusions } from './write-exclusions.ts';

/** Addresses of pages, words with an address of mail, and phone numbers of 7 to 15 digits. */
const LINK = /\bhttps?:\/\/\S+/giu;
const MAIL = /^[^@]+@[^@]+\.\p{L}/u;
const PHONE = /(?<![\p{L}\p{N}])\+?\d(?:[ ./()-]{0,2}\d){6,14}(?![\p{L}\p{N}])/gu;

/**
 * Writes the sentences of a search as operators: `chat without Google` as `chat -Google`. A text that is the name of an
 * agent stays words.
 */
export async function understand(index: TokenReader, text: string): Promise<string> {
  // The text becomes a header, so it must be well-formed. NFKC makes up to 18 characters of one.
  const typed = cut(text.toWellFormed().normalize('NFKC'), MAX_PASTE_LENGTH).replaceAll(/\s+/gu, ' ');
  const tidied = removeAddresses(typed);
  // A long text was pasted, so its signs are no operators.
  if (isOverlong(typed)) return toPlainText(tidied);
  const written = (await writeAlternative(index, tidied)) ?? (await writeExclusions(index, tidied));
  const parsed = parseText(written);
  if (!hasOperators(parsed)) return written === typed ? text : written;
  if (await isName(index, text)) return toPlainText(text);
  const categories = parsed.conditions.filter(({ field }) => field === 'category').flatMap(({ values }) => values);
  for (const category of categories.slice(0, ranking.maxValues)) {
    const token = toFieldToken('category', category);
    // A value that no agent has is a word.
    if ((await index.match({ token, isPrefix: false }, { limit: 1 })).length === 0) return toPlainText(text);
  }
  return written;
}

/** Whether a text is too long for all of its words to count. */
export function isOverlong(text: string): boolean {
  return text.length > MAX_SEARCH_LENGTH && Array.from(text).length > MAX_SEARCH_LENGTH;
}

/** A page counts by its host and its path, other addresses not at all, if other words are left. */
function removeAddresses(text: string): string {
  const left = text
    .replaceAll(LINK, (link) => {
      const url = URL.parse(link);
      if (!url) return ' ';
      const host = url.hostname.replace(/^www\./, '').replace(/\.[^.]*$/, '');
      return ` ${host} ${decodePath(url.pathname)} `.replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
    })
    .replaceAll(/\S+/gu, (word) => (MAIL.test(word) ? ' ' : word))
    .replaceAll(PHONE, ' ');
  return /[\p{L}\p{N}]/u.test(left) ? left : text;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
