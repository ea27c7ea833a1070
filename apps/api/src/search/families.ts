import { ranking } from './ranking.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Endings that the English stemmer keeps apart: painter and paint, decision and decide, biologist and biology. */
const ENDINGS = ['', 'e', 'y', 'er', 'or', 'ist', 'ing', 'ion', 'ation', 'ison'];
/** Ends of a verb that change before an ending: decide and decision, planner and plan. */
const CHANGES: readonly (readonly [from: RegExp, to: string])[] = [
  [/de$/u, 'sion'],
  [/sion$/u, 'de'],
  [/([bdgklmnprt])\1(?:er|ing)$/u, '$1'],
  [/(?<=[aeiou])([bdgklmnprt])$/u, '$1$1er'],
];

/**
 * Words that agents use of the same family as an English word, at most `ranking.maxFamilyForms`: words of the most agents
 * first.
 */
export function findFamily(word: string, vocabulary: Vocabulary): string[] {
  if (!/^[a-z]+$/u.test(word)) return [];
  const bases = ENDINGS.filter((ending) => word.endsWith(ending)).map((ending) =>
    word.slice(0, word.length - ending.length),
  );
  const words = [
    ...bases
      .filter(({ length }) => length >= ranking.minFamilyBase)
      .flatMap((base) => ENDINGS.map((end) => base + end)),
    ...CHANGES.filter(([from]) => from.test(word)).map(([from, to]) => word.replace(from, to)),
  ];
  return [...new Set(words)]
    .filter((other) => other !== word && vocabulary.countAgents(other) > 0)
    .toSorted((a, b) => vocabulary.countAgents(b) - vocabulary.countAgents(a) || (a < b ? -1 : 1))
    .slice(0, ranking.maxFamilyForms);
}
