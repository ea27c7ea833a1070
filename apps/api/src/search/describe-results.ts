import { chooseLanguage } from './languages.ts';
import { ranking } from './ranking.ts';
import { listTerms, replaceWords, type SearchQuery } from './read-query.ts';
import type { Ranked } from './plan.ts';
import { fields, type Scored } from './score.ts';
import type { Alternative, Scoring } from './scoring.ts';

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
  const others = [...used].filter(({ kind }) => kind !== 'prefix').flatMap(toWords);
  return [...new Set([...typed, ...others.filter((word) => !covered.some((text) => word.includes(text)))])];
}

function toWords({ kind, words, isRun }: Alternative): readonly string[] {
  if (isRun) return words.map((word) => `*${word}*`);
  if (kind !== 'synonym') return kind === 'typed' ? [] : words;
  const { stopWords } = chooseLanguage(words);
  return words.filter((word) => !stopWords.has(word));
}

/** The text of a search with the corrections that led to an agent; undefined if there are none. */
export function toCorrection(text: string, scoring: Scoring, first: Scored): string | undefined {
  const replacements = new Map<string, string>();
  for (const [at, best] of first.best.entries()) {
    const term = scoring.terms[at]?.term;
    // An agent can have a word in its category, which is not read for its score.
    const isUnread = best === undefined && first.parts.terms[at] !== 0;
    const word = best?.kind === 'correction' ? best.words[0] : isUnread ? term?.forms.correction[0]?.word : undefined;
    if (term !== undefined && word !== undefined) replacements.set(term.text, word);
  }
  return replacements.size === 0 ? undefined : replaceWords(text, replacements);
}

/** Says why the scored ones of the hits of a page stand where they do; of each term, how much it adds. */
export function explainHits({ first, groups }: Ranked, seqs: readonly number[], scoring: Scoring) {
  const ranked = groups.flatMap(({ agents }) => agents);
  return first.flatMap((scored, at) => {
    const { seq } = scored.agent;
    if (!seqs.includes(seq)) return [];
    const place = ranked.indexOf(scored);
    const tie = explainTie(ranked[place - 1], scored);
    const parts = [
      ...explainScore(scored, scoring),
      ...(tie === undefined ? [] : [{ text: `equal score, ${tie}`, amount: 0 }]),
      ...(place === at ? [] : [{ text: `place ${place + 1} without the limit of an owner`, amount: 0 }]),
    ];
    const group = groups.find(({ agents }) => agents.includes(scored))?.label ?? '';
    return [{ seq, score: scored.score, group, parts }];
  });
}

/** Says what decides between an agent and the one before it if they have the same score. */
function explainTie(before: Scored | undefined, { agent, score, nameRank, lengths }: Scored): string | undefined {
  if (before?.score !== score || before.nameRank !== nameRank) return undefined;
  if (before.lengths.text !== lengths.text) return 'longer text';
  return before.agent.websiteCheckedAt !== null && agent.websiteCheckedAt === null ? 'website not proved' : 'newer';
}

/** Says what the score of an agent is made of: each term with its fields, and the word that stands for it. */
export function explainScore({ nameRank, weights, best, parts }: Scored, { terms }: Scoring) {
  const names = ['', 'name begins so', 'name begins with it', 'name'];
  const ofTerms = terms.flatMap(({ term: { text } }, at) => {
    const amount = parts.terms[at] ?? 0;
    if (best[at] === undefined && amount === 0) return [];
    const found = fields.filter((field) => (weights[at]?.[field] ?? 0) > 0).join(' and ') || 'elsewhere';
    const word = best[at];
    const other = word && word.kind !== 'typed' ? `, ${word.kind} ${word.words.join(' ')}` : '';
    return { text: `${text} ${amount.toFixed(2)} (${found}${other})`, amount };
  });
  return [
    ...(nameRank > 0 ? [{ text: names[nameRank] ?? '', amount: 0 }] : []),
    ...ofTerms,
    ...(parts.near > 0 ? [{ text: `near ${parts.near.toFixed(2)}`, amount: parts.near }] : []),
    ...(ofTerms.length < terms.length ? [{ text: `${ofTerms.length} of ${terms.length} words`, amount: 0 }] : []),
  ];
}
