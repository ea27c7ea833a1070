import { MAX_SEARCH_LENGTH } from '@agent-registry/contracts';
import { cutRun } from './forms.ts';
import { chooseLanguage } from './languages.ts';
import { ranking } from './ranking.ts';
import { listTerms, replaceWords, type SearchQuery } from './read-query.ts';
import { fields, type Scored } from './score.ts';
import type { Alternative, Scoring } from './scoring.ts';
import { findTranslations } from './translations.ts';

/**
 * The folded words by which a query found agents, those of the search first: `word`, `beginning*`, or `*infix*` of a word.
 */
export function toMatchedWords(query: SearchQuery | undefined, agents: readonly Scored[]): string[] {
  const used = new Set(agents.flatMap(({ used: alternatives }) => alternatives));
  const inside = [...used].flatMap(({ kind, words }) => (kind === 'infix' ? words : []));
  const isInfix = (text: string) =>
    text.length >= ranking.minInfixLength && inside.some((word) => word !== text && word.includes(text));
  const typed = (query ? listTerms(query) : []).map(({ text, isRun, isLast }) =>
    isRun || isInfix(text) ? `*${text}*` : isLast ? `${text}*` : text,
  );
  const covered = typed.filter((word) => word.startsWith('*')).map((word) => word.replaceAll('*', ''));
  const others = [...used].filter(({ kind }) => kind !== 'infix' && kind !== 'prefix').flatMap(toWords);
  return [...new Set([...typed, ...others.filter((word) => !covered.some((text) => word.includes(text)))])];
}

function toWords({ kind, words, isRun }: Alternative): readonly string[] {
  if (isRun) return words.map((word) => `*${word}*`);
  if (kind !== 'synonym') return kind === 'typed' ? [] : words;
  const { stopWords } = chooseLanguage(words);
  return words.filter((word) => !stopWords.has(word));
}

/** The text of a search with the corrections that led to an agent; undefined if there are none. */
export function toCorrection(
  text: string,
  { scoring, first }: { scoring: Scoring; first: Scored },
): string | undefined {
  const replacements = new Map<string, string>();
  for (const [at, best] of first.best.entries()) {
    const term = scoring.terms[at]?.term;
    // An agent can have a word in its category, which is not read for its score.
    const isUnread = best === undefined && first.parts.cover === 1;
    const word = best?.kind === 'correction' ? best.words[0] : isUnread ? term?.forms.correction[0]?.word : undefined;
    if (term !== undefined && word !== undefined) replacements.set(term.text, word);
  }
  return replacements.size === 0 ? undefined : replaceWords(text, replacements);
}

/**
 * The words of a query that tell most, as many as a search text has room for. Of text without blanks, nouns of the field
 * come before longer pieces and single characters.
 */
export function listTellingWords({ chunks }: SearchQuery): string[] {
  const words = chunks.flatMap(({ terms }) => terms.flatMap(cutRun));
  const rank = ({ text, isRun }: (typeof words)[number]) =>
    !isRun || findTranslations(text).length > 0 ? 0 : Array.from(text).length > 1 ? 1 : 2;
  const telling = new Set(words.toSorted((a, b) => rank(a) - rank(b)).map(({ text }) => text));
  let left = MAX_SEARCH_LENGTH;
  return [...telling].slice(0, ranking.maxTerms).filter((word) => {
    left -= Array.from(word).length + 1;
    return left >= -1;
  });
}

/** Says what the score of an agent is made of: each term with its fields, and the word that stands for it. */
export function explainScore({ nameRank, weights, best, parts }: Scored, { terms }: Scoring): string[] {
  const names = ['', 'name begins so', 'name begins with it', 'name'];
  const ofTerms = terms.map(({ term: { text } }, at) => {
    const found = fields.filter((field) => (weights[at]?.[field] ?? 0) > 0).join(' and ') || 'elsewhere';
    const word = best[at];
    const other = word && word.kind !== 'typed' ? `, ${word.kind} ${word.words.join(' ')}` : '';
    return `${text} ${(parts.terms[at] ?? 0).toFixed(2)} (${found}${other})`;
  });
  return [
    ...(nameRank > 0 ? [`${names[nameRank]}`] : []),
    ...ofTerms.filter((_, at) => best[at] !== undefined || parts.terms[at] !== 0),
    ...(parts.near > 0 ? [`near ${parts.near.toFixed(2)}`] : []),
    ...(parts.cover < 1 ? [`${Math.round(100 * parts.cover)} % of the words`] : []),
  ];
}
