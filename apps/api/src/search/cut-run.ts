import { sify } from 'chinese-conv';
import { NO_FORMS, type QueryTerm } from './read-query.ts';
import { isParticle } from './stop-words.ts';
import { isTranslated, LONGEST_TRANSLATED } from './translations.ts';

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const KATAKANA = /[\p{sc=Kana}ー]/u;

/**
 * The words of a text without blanks, which is searched in one piece otherwise; particles only if there are no others.
 * Other terms stay as they are.
 */
export function cutRun(term: QueryTerm): QueryTerm[] {
  if (!term.isRun) return [term];
  const pieces = cutKnown(term.text);
  const telling = pieces.filter((text) => !isParticle(text));
  const words = telling.length > 0 ? telling : pieces;
  return words.map((text) => ({ ...term, text, forms: pieces.length > 1 ? NO_FORMS : term.forms }));
}

/** Cuts the longest words of the translations out of a text, which the segmenter often splits, and the rest by it. */
function cutKnown(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length;) {
    const length = findKnown(text, at);
    if (length === 0) {
      at += 1;
      continue;
    }
    pieces.push(...segment(text.slice(start, at)), text.slice(at, at + length));
    at += length;
    start = at;
  }
  return [...pieces, ...segment(text.slice(start))];
}

/** The length of the longest known word of two letters or more that begins at a place; 0 if there is none. */
function findKnown(text: string, at: number): number {
  // A word in Katakana is not a part of a longer one.
  const isInside = KATAKANA.test(text[at] ?? '') && KATAKANA.test(text[at - 1] ?? '');
  for (let length = isInside ? 0 : Math.min(LONGEST_TRANSLATED, text.length - at); length >= 2; length -= 1) {
    const word = text.slice(at, at + length);
    if (isTranslated(word) || isTranslated(sify(word))) return length;
  }
  return 0;
}

function segment(text: string): string[] {
  return [...segmenter.segment(text)].map((piece) => piece.segment);
}
