import type { Snippet } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import { useRef } from 'react';
import { CopyCode } from '../../components/CopyCode.tsx';
import classes from './Connect.module.css';

/** The text of a snippet, and the one for Windows behind a word; below it its place, and what copies it or opens its client. */
export function SnippetText({ snippet }: { snippet: Snippet }) {
  const { label, place, text, href, windows } = snippet;
  const [shown, shownWindows] = [useRef<HTMLElement>(null), useRef<HTMLElement>(null)];
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a text that scrolls needs the keyboard */}
      <pre tabIndex={0}>
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
      <div className={classes.foot}>
        <span>{place}</span>
        <CopyCode text={text} shown={shown} />
        {href !== undefined && (
          <Button component="a" href={href} className={classes.open}>
            Add to {label}
          </Button>
        )}
      </div>
    </>
  );
}
