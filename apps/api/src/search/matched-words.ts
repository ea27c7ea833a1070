import { chooseStopWords } from './stop-words.ts';
import type { QueryPart, SearchQuery } from './tiers.ts';

/**
 * The folded words by which a query finds agents, those of the search first: `word`, `beginning*`, or `*part*` of a word.
 */
export function toMatchedWords({ chunks, joined }: SearchQuery): string[] {
  const typed = chunks.flatMap((chunk) => (chunk.joined ? [...chunk.parts, chunk.joined] : chunk.parts));
  const texts = new Set(typed.map(({ text }) => text));
  const asOneWord = joined.flat().flatMap(({ parts }) => parts.filter(({ text }) => !texts.has(text)));
  const found = [...typed, ...asOneWord];
  return [...new Set([...found.map(toWord), ...found.flatMap(toSubwords), ...found.flatMap(toForms)])];
}

function toWord({ text, isRun, isLast, forms }: QueryPart): string {
  if (isRun || forms.part.length > 0) return toAnyPart(text);
  return isLast ? toBeginning(text) : text;
}

function toSubwords({ subwords, isLast }: QueryPart): string[] {
  return subwords.map((word, index) => (isLast && index === subwords.length - 1 ? toBeginning(word) : word));
}

function toForms({ isRun, forms }: QueryPart): string[] {
  const stems = isRun ? forms.stem.map(toAnyPart) : forms.stem;
  const synonyms = forms.synonym.flatMap((phrase) => {
    const stopWords = chooseStopWords(phrase);
    return phrase.filter((word) => !stopWords.has(word));
  });
  return [...stems, ...synonyms];
}

const toBeginning = (text: string) => `${text}*`;

/** Text that is found anywhere in a word. */
export const toAnyPart = (text: string) => `*${text}*`;
