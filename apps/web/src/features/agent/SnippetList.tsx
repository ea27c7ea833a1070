import type { Snippet } from '@agent-registry/contracts';
import { Anchor } from '@mantine/core';
import { useRef } from 'react';
import { CopyCode } from '../../components/CopyCode.tsx';
import classes from './Connect.module.css';

/** What one gives to a client: the whole text, and its install link. */
export function SnippetList({ snippets }: { snippets: readonly Snippet[] }) {
  return snippets.map((snippet) => <SnippetText key={snippet.text} snippet={snippet} />);
}

function SnippetText({ snippet: { label, place, text, href } }: { snippet: Snippet }) {
  const shown = useRef<HTMLElement>(null);
  return (
    <div className={classes.snippet} dir="ltr">
      <pre>
        <code ref={shown}>{text}</code>
      </pre>
      <div>
        <span>{place}</span>
        {href !== undefined && <Anchor href={href}>Add to {label}</Anchor>}
        <CopyCode text={text} shown={shown} />
      </div>
    </div>
  );
}
