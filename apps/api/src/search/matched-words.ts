import { chooseLanguage } from './languages.ts';
import { listTerms, type QueryTerm, type SearchQuery } from './read-query.ts';

/**
 * The folded words by which a query finds agents, those of the search first: `word`, `beginning*`, or `*infix*` of a word.
 */
export function toMatchedWords(query: SearchQuery): string[] {
  const typed = listTerms(query);
  const texts = new Set(typed.map(({ text }) => text));
  const asOneWord = query.joined.flat().flatMap(({ terms }) => terms.filter(({ text }) => !texts.has(text)));
  const found = [...typed, ...asOneWord];
  return [...new Set([...found.map(toWord), ...found.flatMap(toSubwords), ...found.flatMap(toForms)])];
}

function toWord({ text, isRun, isLast, forms }: QueryTerm): string {
  if (isRun || forms.infix.length > 0) return toInfix(text);
  return isLast ? toBeginning(text) : text;
}

function toSubwords({ subwords, isLast }: QueryTerm): string[] {
  return subwords.map((word, index) => (isLast && index === subwords.length - 1 ? toBeginning(word) : word));
}

function toForms({ isRun, forms }: QueryTerm): string[] {
  const stems = isRun ? forms.stem.map(toInfix) : forms.stem;
  const synonyms = forms.synonym.flatMap((phrase) => {
    const { stopWords } = chooseLanguage(phrase);
    return phrase.filter((word) => !stopWords.has(word));
  });
  return [...stems, ...forms.family, ...synonyms];
}

const toBeginning = (text: string) => `${text}*`;

/** Text that is found anywhere in a word. */
export const toInfix = (text: string) => `*${text}*`;
