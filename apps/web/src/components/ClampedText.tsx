import type { ReactNode } from 'react';
import classes from './ClampedText.module.css';

/** A text clamped to a number of lines; a tooltip shows text that is cut. */
export function ClampedText({ children, lines }: { children: ReactNode; lines: number }) {
  return (
    <p dir="auto" className={classes.text} style={{ WebkitLineClamp: lines }} data-tooltip-if-cut>
      {children}
    </p>
  );
}
