import type { Snippet } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import { useRef } from 'react';
import { CopyCode } from '../../components/CopyCode.tsx';
import classes from './Connect.module.css';

/** A text, and the one for Windows behind a word; if it is chosen, also its place, a button that copies it, and its link. */
export function SnippetText({ snippet, isChosen = true }: { snippet: Snippet; isChosen?: boolean }) {
  const { label, place, text, href, windows } = snippet;
  const [shown, shownWindows] = [useRef<HTMLElement>(null), useRef<HTMLElement>(null)];
  return (
    <div dir="ltr">
      <pre>
        <code ref={shown}>{text}</code>
      </pre>
      {windows !== undefined && (
        <details>
          <summary>Windows</summary>
          <pre>
            <code ref={shownWindows}>{windows}</code>
          </pre>
          <CopyCode text={windows} shown={shownWindows} />
        </details>
      )}
      {isChosen && (
        <div className={classes.foot}>
          <span>{place}</span>
          <CopyCode text={text} shown={shown} />
          {href !== undefined && (
            <Button component="a" href={href} className={classes.open}>
              Add to {label}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
