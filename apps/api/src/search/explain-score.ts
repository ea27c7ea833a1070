import { fields, type Scored } from './score.ts';
import type { Scoring } from './scoring.ts';

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
