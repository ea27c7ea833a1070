import { toWord } from './agent-tokens.ts';
import type { TokenReader } from './token-index.ts';

/** Most agents whose words are read: those of a page, and some of the others. */
const MAX_READ = 200;

/**
 * Keeps the words of a search that were typed, alone or within others, or that one of its agents has. The vocabulary also
 * has the words of agents that were removed or edited since it was read.
 * @param words in the form of `toMatchedWords`, as `typed`
 * @param seqs the agents, those of the page first
 */
export async function keepListed(
  index: TokenReader,
  words: readonly string[],
  { typed, seqs }: { typed: readonly string[]; seqs: readonly number[] },
): Promise<string[]> {
  const isTyped = (word: string) => typed.some((other) => other.includes(withoutMarks(word)));
  if (words.every(isTyped)) return [...words];
  const agents = await index.readTermsOf(seqs.slice(0, MAX_READ));
  const listed = new Set(agents.flatMap(({ terms }) => terms.split(' ').map(toWord)));
  return words.filter((word) => isTyped(word) || isAmong(listed, word));
}

function isAmong(listed: ReadonlySet<string>, word: string): boolean {
  const text = withoutMarks(word);
  if (text === word) return listed.has(word);
  return [...listed].some((other) => (word.startsWith('*') ? other.includes(text) : other.startsWith(text)));
}

/** A word without the asterisks of `toMatchedWords`. */
function withoutMarks(word: string): string {
  return word.replaceAll('*', '');
}
