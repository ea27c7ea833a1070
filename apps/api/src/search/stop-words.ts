import { eng } from 'stopword';
import { fold, functionWords } from '@agent-registry/contracts';

/** Words of questions that the list for English lacks. */
const questionWords = 'do does when whom whose why will';
/** Words of questions about agents: "is there a good agent for". They count as stop words beside other ones. */
const fillers =
  'agent agents ai anything best bot bots find good help looking need please recommend show something suggest tool tools use used using want';

/** The stop words of English. */
export const englishStopWords: ReadonlySet<string> = new Set([
  ...functionWords,
  ...eng.map(fold),
  ...questionWords.split(' '),
]);
/** The stop words of English in a question. */
export const englishWordsOfQuestions: ReadonlySet<string> = new Set([...englishStopWords, ...fillers.split(' ')]);

/** Whether a word tells nothing about an agent in English, alone or in a question. */
export function isFiller(word: string): boolean {
  return englishWordsOfQuestions.has(word);
}

/** Particles and helping words of Chinese and Japanese, as they are cut out of a text without blanks. */
const particles = new Set(
  '的 了 是 我 你 我们 想 想要 要 可以 能 帮 帮我 帮助 请 一个 和 在 用 有 吗 什么 怎么 个 给 为 の を は が に で と も へ や から まで より する した して できる です ます ください こと もの'.split(
    ' ',
  ),
);

/** Whether a piece of a text without blanks tells nothing about an agent. */
export function isParticle(piece: string): boolean {
  return particles.has(piece);
}

/** Endings of Korean nouns, the longest first. */
const KOREAN_ENDING = /(?<=\p{sc=Hang}{2})(?:에서|으로|까지|부터|하는|하기|을|를|이|가|은|는|에|의|로|와|과|도|만)$/u;

/** A Korean noun without its ending; other texts are returned as they are. */
export function removeEnding(run: string): string {
  return run.replace(KOREAN_ENDING, '');
}
