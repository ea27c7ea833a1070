import { buildSnippets, type Agent, type McpClient, type Snippet } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import { useRef, type RefObject } from 'react';
import { CopyCode } from '../../components/CopyCode.tsx';
import classes from './Connect.module.css';

/** The snippets of one connection; the names of its servers depend on all of them. */
export function buildSnippetsOf(agent: Agent, index: number, clients: readonly McpClient[]): Snippet[] {
  const { connections = [] } = agent;
  const countBefore = (end: number) =>
    buildSnippets({ ...agent, connections: connections.slice(0, end) }, clients).length;
  return buildSnippets(agent, clients).slice(countBefore(index), countBefore(index + 1));
}

type SnippetProps = {
  snippet: Snippet;
  /** The element of the text. */
  shown: RefObject<HTMLElement | null> | undefined;
};

/** The text of a snippet, and the one for Windows behind a word. */
export function SnippetText({ snippet: { text, windows }, shown }: SnippetProps) {
  const shownWindows = useRef<HTMLElement>(null);
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
    </div>
  );
}

/** The place of a snippet, a button that copies it and, where its client has one, the link that opens the client. */
export function SnippetFoot({ snippet: { label, place, text, href }, shown }: SnippetProps) {
  return (
    <div className={classes.foot}>
      <span>{place}</span>
      <CopyCode text={text} shown={shown} />
      {href !== undefined && (
        <Button component="a" href={href} className={classes.open}>
          Add to {label}
        </Button>
      )}
    </div>
  );
}
