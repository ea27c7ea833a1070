import { eng } from 'stopword';
import { fold, functionWords } from '@agent-registry/contracts';

/** Words of questions that the list for English lacks. */
const questionWords = 'do does when whom whose why will';
/** Words of questions about agents: "is there a good agent for". They count as stop words beside other ones. */
const fillers =
  'agent agents ai anything best bot bots find good help looking need please recommend show something suggest tool tools use used using want';
/** Words of pasted mails that say nothing about an agent. They count as stop words beside other ones. */
const politeWords =
  'am anybody anyone appreciate appreciated cheers colleague colleagues dear everybody everyone folks glad guys hello helpful hey hi hope hoping kind kindly know maybe perhaps pls regards sincerely somebody someone sorry thank thanks thx ve wish wishes wonder wondering';

/** The stop words of English. */
export const englishStopWords: ReadonlySet<string> = new Set([
  ...functionWords,
  ...eng.map(fold),
  ...questionWords.split(' '),
]);
/** The stop words of English in a question. */
export const englishWordsOfQuestions: ReadonlySet<string> = new Set([
  ...englishStopWords,
  ...fillers.split(' '),
  ...politeWords.split(' '),
]);

/** Words of requests that say little beside others. */
const lightWords: ReadonlySet<string> = new Set(
  `able add allow apply ask automatic automatically begin bring build change choose come create creator different do
  easily easy every fast find finish generate generation generator get getting give go goes going good great handle happen have home important improve include keep
  know knowing large let like little long look looking made make makes making many means more most move much need needed
  needs new next nice now offer offers old one open own people person place plan put quick quickly right run say see send
  set show simple small some start stop take tell them there thing things think time today together tomorrow turn turning
  type understand various way well when without work working world write year yesterday`.split(/\s+/u),
);

/** Whether a word says little beside others. */
export function isLight(word: string): boolean {
  return word.length === 1 || lightWords.has(word);
}

/** Whether a word tells nothing about an agent in English, alone or in a question. */
export function isFiller(word: string): boolean {
  return englishWordsOfQuestions.has(word);
}

/**
 * Particles, helping words and words of requests in Chinese, Japanese and Korean, as they are cut out of a text without
 * blanks. Korean ones are also endings.
 */
const particles: ReadonlySet<string> = new Set(
  [
    '的 地 得 了 着 过 是 我 你 您 他 她 它 们 我们 你们 想 想要 要 需要 可以 能 能够 会 帮 帮我 帮助 帮忙 请 请问 让 把 对 从 一个 一款 一种 一些 一下 和 与 或 或者 在 用 使用 有 有没有 没有 吗 呢 吧 什么 什么样 哪 哪个 哪些 怎么 怎样 如何 这 这个 那 那个 个 款 给 为 为了 被 就 都 也 很 更 最 最好 好用 好 找 寻找 谢谢 你好 您好 工具 做 人工 智能 体 幫 幫我 幫忙 請 請問 讓 對 從 個 為 為了 給 嗎 什麼 怎麼 怎樣 們 我們 這 這個 哪個 沒有 尋找 能夠',
    'は へ から まで より する した して します できる できます です ます ました ください 下さい くだ さい こと もの ため ために たい したい ほしい 欲しい くれる もらう もらえる いい ある あり ありますか いる 教え 教えて 探し 探して どう どの どんな どこ なに 何 この その あの ような という について での には とか など ツール 人工 知能 エージェント ボット ござい お願い',
    '을 를 이 가 은 는 에 의 로 와 과 도 만 에서 으로 까지 부터 하는 하기 하고 해서 할 한 해 줘 해줘 해줘요 주는 해주는 해주세요 주세요 싶어 싶어요 하고싶어 싶은 있는 있나요 있어 있을까요 좋은 위한 위해 필요 필요해 필요해요 찾아줘 찾고 찾아요 알려줘 알려주세요 도와줘 도와주는 도움 어떤 어떻게 수 것 좀 및 또는 그리고 제가 저는 나는 내 도구 인공지능 에이전트',
  ].flatMap((words) => words.split(' ')),
);
/** A letter of Hiragana tells nothing alone: it is an ending or a particle. */
const HIRAGANA = /^\p{sc=Hira}$/u;

/** Whether a piece of a text without blanks tells nothing about an agent. */
export function isParticle(piece: string): boolean {
  return HIRAGANA.test(piece) || particles.has(piece);
}

/** Endings of Korean nouns and requests, the longest first. */
const KOREAN_ENDING =
  /(?<=\p{sc=Hang}{2})(?:해주세요|하고싶어|해주는|해줘|하는|하기|하고|해서|에서|으로|까지|부터|을|를|이|가|은|는|에|의|로|와|과|도|만)$/u;

/** A Korean noun without its ending; other texts are returned as they are. */
export function removeEnding(run: string): string {
  return run.replace(KOREAN_ENDING, '');
}
