import { levels, toWord } from './agent-tokens.ts';
import { analyze } from './analyze.ts';
import { findNamed } from './find-named.ts';
import { collectSome } from './candidates.ts';
import { ranking } from './ranking.ts';
import { NO_QUERY, readQuery } from './read-query.ts';
import type { Restriction } from './restriction.ts';
import { scoreSeqs, type Scored } from './score.ts';
import { createScoring, type Scoring } from './scoring.ts';
import { isFiller } from './stop-words.ts';
import type { TokenReader } from './token-index.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Agents like another one, best first, and by what they were scored. */
type Alike = { scoring: Scoring; extras: Scored[]; agents: number };

/**
 * Finds agents with the capabilities and the telling words of the agent with a name, and with further words; the agent
 * itself comes last.
 */
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
  const scoring = createScoring(query ?? NO_QUERY, { vocabulary, hasSynonyms: false });
  const options = { total: vocabulary.agents, hasAll: false };
  const found = query ? [...(await collectSome(index, { ...query, restriction }, scoring))] : [];
  const others = found.filter((seq) => !named.includes(seq));
  const extras = [
    ...(await scoreSeqs(index, others, scoring, options)).slice(0, ranking.maxPartial),
    ...(await scoreSeqs(index, named, scoring, options)),
  ];
  return { scoring, extras, agents: vocabulary.agents };
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
