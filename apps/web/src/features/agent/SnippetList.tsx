import type { Snippet } from '@agent-registry/contracts';
import { Anchor } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { CopyCode } from '../../components/CopyCode.tsx';
import classes from './Connect.module.css';

/** What one gives to a client: the whole text, and its install link. */
export function SnippetList({ snippets }: { snippets: readonly Snippet[] }) {
  return snippets.map((snippet) => <SnippetText key={snippet.text} snippet={snippet} />);
}

function SnippetText({ snippet: { label, place, text, href, windows } }: { snippet: Snippet }) {
  return (
    <div className={classes.snippet} dir="ltr">
      <Code text={text} place={place}>
        {href !== undefined && <Anchor href={href}>Add to {label}</Anchor>}
      </Code>
      {windows !== undefined && (
        <details>
          <summary>Windows</summary>
          <Code text={windows} place={place} />
        </details>
      )}
    </div>
  );
}

function Code({ text, place, children }: { text: string; place: string; children?: ReactNode }) {
  const shown = useRef<HTMLElement>(null);
  return (
    <>
      <pre>
        <code ref={shown}>{text}</code>
      </pre>
      <div>
        <span>{place}</span>
        {children}
        <CopyCode text={text} shown={shown} />
      </div>
    </>
  );
}
