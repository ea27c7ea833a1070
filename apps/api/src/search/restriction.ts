import type { OperatorField, ParsedText } from '@agent-registry/contracts';
import { levels, toFieldToken, toHostToken, toWindows, WINDOW } from './agent-tokens.ts';
import { analyze } from './analyze.ts';
import { ranking } from './ranking.ts';
import { all, any, type TokenQuery } from './token-index.ts';

/** What the operators of a search demand of every result. */
export type Restriction = {
  /** Queries that must all match. */
  within: readonly TokenQuery[];
  /** Queries of which none may match. */
  without: readonly TokenQuery[];
};

/** Makes the restriction of a text. Excluded words must not occur in any field. */
export function toRestriction({ phrases, excluded, conditions }: ParsedText): Restriction {
  const matchCondition = ({ field, values }: ParsedText['conditions'][number]) => {
    const ways = values.slice(0, ranking.maxValues).flatMap((value) => matchField(field, value) ?? []);
    return ways.length > 0 ? [any(ways)] : [];
  };
  return {
    within: [
      ...phrases.flatMap((phrase) => matchWords(phrase, levels.description) ?? []),
      ...conditions.flatMap(matchCondition),
    ],
    without: excluded.flatMap((text) => matchWords(text, levels.description, { hasPlural: true }) ?? []),
  };
}

/** A query for the results of another one that a restriction leaves. */
export function restrict(query: TokenQuery, { within, without }: Restriction): TokenQuery {
  const kept = within.length > 0 ? { all: [query, ...within] } : query;
  return without.length > 0 ? { find: kept, without: any(without) } : kept;
}

/** The query for the agents with a value of a field; undefined if the field is none of the index. */
function matchField(field: OperatorField, value: string): TokenQuery | undefined {
  if (field === 'like') return undefined;
  if (field === 'name') return matchWords(value, levels.name);
  if (field === 'capability') return matchWords(value, toFieldToken('capability', ''));
  const token = field === 'by' ? toHostToken(value) : toFieldToken(field === 'api' ? 'apiAccess' : field, value);
  return { token, isPrefix: false };
}

/** The query for the agents with all words of a text; undefined without words. */
function matchWords(text: string, level: string, { hasPlural = false } = {}): TokenQuery | undefined {
  const terms = analyze(text).flatMap((chunk) => chunk.terms);
  const queries = terms.slice(0, ranking.maxTerms).map(({ text: word, isRun }): TokenQuery => {
    if (!isRun) return any([word, ...(hasPlural ? otherNumber(word) : [])].map((form) => toToken(level + form)));
    const windows = toWindows(word).filter((window, at) => at === 0 || Array.from(window).length === WINDOW);
    return all(windows.slice(0, ranking.maxTerms).map((window) => ({ token: level + window, isPrefix: true })));
  });
  return queries.length > 0 ? all(queries) : undefined;
}

/** The plural of an English singular, and the singular of a plural. */
function otherNumber(word: string): string[] {
  if (!/^[a-z]{3,}$/.test(word)) return [];
  return word.endsWith('s') ? [word.slice(0, -1)] : [`${word}s`];
}

const toToken = (token: string): TokenQuery => ({ token, isPrefix: false });
