import { getCategory, type CategoryId } from '@agent-registry/contracts';
import type { AgentRow } from './tables.ts';

/** What of an agent is searched, each part folded. */
export type SearchText = { name: string; capabilities: string; category: string; description: string };

/** The text by which an agent is found; a category is found by its id and by its name. */
export function toSearchText(row: AgentRow): SearchText {
  const category = row.category as CategoryId;
  return {
    name: fold(row.name),
    capabilities: fold((JSON.parse(row.capabilities) as string[]).join(' ')),
    category: fold(`${category} ${getCategory(category).name}`),
    description: fold(row.description),
  };
}

/** The different words of a search, each folded: of `node.js` it makes `node js`, which must stand together. */
export function toSearchWords(text: string): string[] {
  return [...new Set(text.split(/\s+/u).map(fold))].filter((word) => word !== '');
}

/** Reduces a text to what searching compares: letters, digits, + and #, without case, accents and width; the rest is one blank. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}+#]+/gu, ' ')
    .trim();
}

/** Whether a word is long enough to be found inside other words. */
export function isFoundInside(word: string): boolean {
  return Array.from(word).length >= 3;
}

/** Escapes a text for LIKE with a backslash as the escape character. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
