import { createContext, use } from 'react';
import { markWords } from './highlight.ts';
import classes from './HighlightedText.module.css';

/** The words to mark in the texts below, folded. */
export const MarkedWordsContext = createContext<readonly string[]>([]);

/** A text in which the words that were searched for are marked. */
export function MarkedText({ children }: { children: string }) {
  const words = use(MarkedWordsContext);
  if (words.length === 0) return children;
  return markWords(children, words).map(({ text, isMatch }, index) =>
    isMatch ? (
      <mark key={index} className={classes.mark}>
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
