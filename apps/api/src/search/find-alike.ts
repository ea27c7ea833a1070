import { levels, toWord } from './agent-tokens.ts';
import { analyze } from './analyze.ts';
import { findNamed } from './find-named.ts';
import { findPartialMatches } from './partial-matches.ts';
import { ranking } from './ranking.ts';
import { readQuery } from './read-query.ts';
import type { Restriction } from './restriction.ts';
import { isFiller } from './stop-words.ts';
import type { TokenReader } from './token-index.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Agents like another one. */
export type Alike = {
  /** Best first, the agent itself last. */
  seqs: number[];
  /** The words that they have in common with it. */
  words: string[];
};

/** Finds agents with the capabilities and the telling words of the agent with a name, and with further words. */
export async function findAlike(
  index: TokenReader,
  {
    name,
    words: more,
    restriction,
    vocabulary,
  }: { name: string; words: string; restriction: Restriction; vocabulary: Vocabulary },
): Promise<Alike> {
  const named = await findNamed(index, name);
  // Of several agents with the name, the oldest: newer ones may only use it.
  const [agent] = (await index.readTermsOf(named.slice(-1))).map(({ terms }) => terms.split(' '));
  const words = agent ? chooseWords(agent, name, vocabulary) : [];
  const query = readQuery([more, ...words].join(' '));
  const limit = ranking.maxPartial + named.length;
  const found = query
    ? await findPartialMatches(index, {
        query: { ...query, restriction },
        hasSynonyms: false,
        vocabulary,
        limit,
      })
    : [];
  const others = found.filter((seq) => !named.includes(seq)).slice(0, ranking.maxPartial);
  return { seqs: [...others, ...named], words };
}

/** The words that tell most of what an agent does: those of its capabilities first, then rare ones. */
function chooseWords(terms: readonly string[], name: string, vocabulary: Vocabulary): string[] {
  const own = new Set(analyze(name).flatMap(({ terms: parts }) => parts.map(({ text }) => text)));
  const isTelling = (word: string) => !own.has(word) && !isFiller(word) && vocabulary.countAgents(word) > 1;
  const isOther = (term: string) => Number(!term.startsWith(levels.capabilities));
  return terms
    .filter((term) => isTelling(toWord(term)))
    .toSorted(
      (a, b) => isOther(a) - isOther(b) || vocabulary.countAgents(toWord(a)) - vocabulary.countAgents(toWord(b)),
    )
    .slice(0, ranking.maxTerms)
    .map(toWord);
}
