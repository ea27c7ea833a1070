import { createContext, use } from 'react';
import { highlight } from './highlight.ts';
import classes from './HighlightedText.module.css';

/** The words by which a search found the agents shown, as the registry tells them. */
export const HighlightContext = createContext<readonly string[]>([]);

/** A text with these words highlighted. */
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
