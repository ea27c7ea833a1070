import { expect, test } from 'vitest';
import { analyze } from './analyze.ts';

/** Each chunk as its terms, with the words within them in brackets, and what they are joined. */
function show(text: string): string[] {
  return analyze(text).map(({ terms, joined }) => {
    const shown = terms.map((term) =>
      term.isRun ? `«${term.text}»` : term.text + (term.subwords.length > 0 ? `(${term.subwords.join(' ')})` : ''),
    );
    return [shown.join('+'), ...(joined === undefined ? [] : [joined])].join(' = ');
  });
}

test.each([
  ['Front Desk', ['front', 'desk']],
  ['Node.js', ['node+js = nodejs']],
  ['multi-agent', ['multi+agent = multiagent']],
  ['state-of-the-art', ['state+of+the+art = stateoftheart']],
  ['a-b-c-d-e', ['a+b+c+d+e']],
  ["don't", ['don+t = dont']],
  ['C++', ['c++']],
  ['c#/F#', ['c#+f# = c#f#']],
  ['C++17', ['c++', '17']],
  ['text+image', ['text', 'image']],
  ['#1 +1', ['1', '1']],
  ['ChatGPT', ['chatgpt(chat gpt)']],
  ['GPTHelper', ['gpthelper(gpt helper)']],
  ['GPT4', ['gpt4(gpt 4)']],
  ['GPT-4', ['gpt+4 = gpt4']],
  ['Ｃｈａｔ ＧＰＴ', ['chat', 'gpt']],
  ['Acme™', ['acme']],
  ['Chat\u200BBridge', ['chatbridge(chat bridge)']],
  ['soft\u00ADware می\u200Cخواهم', ['software', 'ميخواهم']],
  ['東京都のGPT活用', ['«東京都の»+gpt+«活用»']],
  ['한국어 봇', ['«한국어»', '«봇»']],
  ['コーヒー', ['«コーヒー»']],
  ['a,b;c(d)', ['a', 'b', 'c', 'd']],
  ['👋 -- ™ "', []],
  ['x\u0000y', ['x', 'y']],
  ['\ud800x', ['x']],
])('%j is %j', (text, expected) => {
  expect(show(text)).toEqual(expected);
});

test('words are compared up to their 64th character', () => {
  const [chunk] = analyze('a'.repeat(200));
  expect(chunk?.terms[0]?.text).toBe('a'.repeat(64));
});
