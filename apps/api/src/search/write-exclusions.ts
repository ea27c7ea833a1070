import { toNameBeginning } from './agent-tokens.ts';
import { analyze } from './analyze.ts';
import { chooseLanguage } from './languages.ts';
import { ranking } from './ranking.ts';
import type { TokenReader } from './token-index.ts';

/** The operator for agents that cost nothing. */
export const FREE_ONLY = 'pricing:free';

/** A word that does not begin another clause or operator. */
const WORD = String.raw`(?!-|\S+:|(?:and|but|for|from|in|nor|of|on|or|please|so|that|the|to|which|with)\b)[^\s,.;:!?()"]+`;
/** What a text is not about, up to the next clause. */
const NEGATION = new RegExp(
  String.raw`(?<=\S )(?:but |and |or )?(?<not>not|nothing to do with|nothing|no|without|other than|except|excluding) (?:(?:use|using|have|having|need|needing|based on|built on|for|any|an?|the|by|from|with) )*(?:"(?<quoted>[^"]+)"|(?<what>${WORD}(?: ${WORD}){0,2})(?<others>(?:,? n?or ${WORD}){0,3}))`,
  'giu',
);
/** Words for an agent that costs money. */
const PAYING = /^(?:paid|payment|payments|paying|subscription|subscriptions|cost|costs|fee|fees)$/iu;
/** What is done without: "without coding" says how the agent is used, not what it is about. */
const MANNER = /^\p{L}{3,}ing$/iu;

/**
 * Writes negated words as exclusions, unless agents use them with the negation as a term, such as "no code", or they say
 * how the agent is used.
 */
export async function writeExclusions(index: TokenReader, text: string): Promise<string> {
  const all = text.split(' ');
  if (all.length > ranking.maxSentenceWords) return text;
  const isForeign = chooseLanguage(all.map((word) => word.toLowerCase())).nouns.size > 0;
  let written = text;
  for (const match of [...text.matchAll(NEGATION)].slice(0, ranking.maxNegations)) {
    const { not = '', quoted, what = quoted ?? '', others = '' } = match.groups ?? {};
    // In Spanish and Portuguese, it is another word.
    if (isForeign && not.toLowerCase() === 'no') continue;
    const words = what.split(' ');
    const { stopWords } = chooseLanguage(words.map((word) => word.toLowerCase()));
    const telling = words.filter((word) => !stopWords.has(word.toLowerCase()));
    if (telling.length === 0 || (await isTerm(index, `${not} ${words[0]}`))) continue;
    if (telling.some((word) => PAYING.test(word))) {
      written = written.replace(match[0], () => FREE_ONLY);
      continue;
    }
    if (not === 'without' && MANNER.test(telling[0] ?? '')) continue;
    const excluded = [telling.join(' '), ...others.split(/,? n?or /iu).filter((word) => word !== '')];
    written = written.replace(match[0], () => excluded.map(writeExclusion).join(' '));
  }
  return written.replaceAll(/(?<= )-paid(?= |$)/giu, FREE_ONLY);
}

const writeExclusion = (words: string) => (words.includes(' ') ? `-"${words}"` : `-${words}`);

/** Whether an agent has two words as one, such as `no-code`, or a name that begins with them. */
async function isTerm(index: TokenReader, words: string): Promise<boolean> {
  const chunks = analyze(words);
  const joined = chunks.flatMap(({ terms }) => terms.map(({ text }) => text)).join('');
  const ways = [
    { token: joined, isPrefix: false },
    { token: `${toNameBeginning(chunks)}_`, isPrefix: true },
  ];
  return (await index.match({ any: ways }, { limit: 1 })).length > 0;
}
