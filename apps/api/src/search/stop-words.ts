import { deu, eng, fra, ita, nld, por, spa } from 'stopword';
import { fold, functionWords } from '@agent-registry/contracts';
import { ranking } from './ranking.ts';

/** Words of questions that the list for English lacks. */
const questionWords = 'do does when whom whose why will';
/** Words of questions about agents: "is there a good agent for". They count as stop words beside other ones. */
const fillers =
  'agent agents ai anything best bot bots find good help looking need please recommend show something suggest tool tools use used using want';

const toSet = (words: readonly string[]) => new Set(words.map(fold));
const english = new Set([...functionWords, ...toSet(eng), ...questionWords.split(' ')]);
const englishQuestion = new Set([...english, ...fillers.split(' ')]);
const others = [deu, fra, spa, por, ita, nld].map(toSet);

/** The stop words of the language that most words are stop words of. */
export function chooseStopWords(words: readonly string[]): ReadonlySet<string> {
  const count = (list: ReadonlySet<string>) => words.filter((word) => list.has(word)).length;
  const isQuestion = count(english) >= ranking.minStopWords;
  let best: ReadonlySet<string> = isQuestion ? englishQuestion : english;
  let most = Math.max(count(english), ranking.minStopWords - 1);
  for (const list of others) if (count(list) > most) [best, most] = [list, count(list)];
  return best;
}

/** Whether a word tells nothing about an agent in English, alone or in a question. */
export function isFiller(word: string): boolean {
  return englishQuestion.has(word);
}
