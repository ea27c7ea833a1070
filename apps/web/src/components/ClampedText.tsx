import type { ReactNode } from 'react';
import classes from './ClampedText.module.css';

/** A text cut to some lines; where it is cut, a tooltip shows more of it. */
export function ClampedText({ children, lines }: { children: ReactNode; lines: number }) {
  return (
    <p dir="auto" className={classes.text} style={{ WebkitLineClamp: lines }} data-tooltip-if-cut>
      {children}
    </p>
  );
}
