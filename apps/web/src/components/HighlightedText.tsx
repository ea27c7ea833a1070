import { createContext, use } from 'react';
import classes from './HighlightedText.module.css';
import { fold, WORD_BORDER_PATTERN, WORD_PATTERN } from '@agent-registry/contracts';

/** The words by which a search found the agents shown, as the registry tells them. */
export const HighlightContext = createContext<readonly string[]>([]);

export function HighlightedText({ children }: { children: string }) {
  const words = use(HighlightContext);
  if (words.length === 0) return children;
  return highlight(children, words).map(({ text, isMatch }, index) =>
    isMatch ? (
      <mark key={index} className={classes.mark}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

const LETTERS = /.\p{M}*/gu;

/**
 * Splits a text at words by which it was found.
 * @param words folded: `word`, `beginning*` or `*part*` of a word; a whole word also matches several: `nodejs` Node.js
 */
export function highlight(text: string, words: readonly string[]) {
  const pieces: { text: string; isMatch: boolean }[] = [];
  let end = 0;
  for (const match of findMatches(text, words)) {
    if (match.start < end) continue;
    if (match.start > end) pieces.push({ text: text.slice(end, match.start), isMatch: false });
    pieces.push({ text: text.slice(match.start, match.end), isMatch: true });
    end = match.end;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMatch: false });
  return pieces;
}

/** The matches by their places in the text; of those that start at the same place, the longest first. */
function findMatches(text: string, words: readonly string[]): Pick<Letter, 'start' | 'end'>[] {
  if (words.length === 0) return [];
  const { folded, letters } = foldWords(text);
  const matches = words.flatMap((word) => {
    const [isPart, isBeginning] = [word.startsWith('*'), word.endsWith('*')];
    const searched = word.replaceAll('*', '');
    const found: Pick<Letter, 'start' | 'end'>[] = [];
    for (let at = folded.indexOf(searched); at !== -1; at = folded.indexOf(searched, at + 1)) {
      const first = letters[at] as Letter;
      const last = letters[at + searched.length - 1] as Letter;
      const isInside = first.word === last.word && (isPart || (isBeginning && first.isStart));
      if (isInside || (first.isStart && last.isEnd)) found.push({ start: first.start, end: last.end });
    }
    return found;
  });
  return matches.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** Where a folded letter comes from: its place in the text, the number of its word, and whether a word starts or ends there. */
type Letter = { start: number; end: number; word: number; isStart: boolean; isEnd: boolean };

function foldWords(text: string): { folded: string; letters: Letter[] } {
  // Made here, because a page without a search needs neither, and making them takes milliseconds the first time.
  const words = new RegExp(WORD_PATTERN, 'gu');
  const borders = new RegExp(WORD_BORDER_PATTERN, 'u');
  let folded = '';
  const letters: Letter[] = [];
  for (const [word, { 0: wordText, index }] of [...text.matchAll(words)].entries()) {
    let start = index;
    for (const part of wordText.split(borders)) {
      const partEnd = start + part.length;
      for (const [letter] of part.matchAll(LETTERS)) {
        const end = start + letter.length;
        const isStart = start === partEnd - part.length;
        const foldedLetter = fold(letter);
        folded += foldedLetter;
        for (let at = 0; at < foldedLetter.length; at += 1)
          letters.push({ start, end, word, isStart, isEnd: end === partEnd });
        start = end;
      }
    }
  }
  return { folded, letters };
}
