import { buildSnippets, type Agent, type McpClient, type Snippet } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { CopyCode } from '../../components/CopyCode.tsx';
import classes from './Connect.module.css';

/** The snippets of one connection; the names of its servers depend on all of them. */
export function buildSnippetsOf(agent: Agent, index: number, clients: readonly McpClient[]): Snippet[] {
  const { connections = [] } = agent;
  const countBefore = (end: number) =>
    buildSnippets({ ...agent, connections: connections.slice(0, end) }, clients).length;
  return buildSnippets(agent, clients).slice(countBefore(index), countBefore(index + 1));
}

/** What one gives to a client: the text, its place and, where the client has one, the link that opens it. */
export function SnippetText({ snippet: { label, place, text, href, windows } }: { snippet: Snippet }) {
  return (
    <div dir="ltr">
      <Code text={text} place={place}>
        {href !== undefined && (
          <Button component="a" href={href} className={classes.open}>
            Add to {label}
          </Button>
        )}
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
      <div className={classes.foot}>
        <span>{place}</span>
        <CopyCode text={text} shown={shown} />
        {children}
      </div>
    </>
  );
}
