import { buildSnippets, type Agent, type McpClient, type Snippet } from '@agent-registry/contracts';
import { Button } from '@mantine/core';
import { useRef } from 'react';
import { CopyCode } from '../../components/CopyCode.tsx';
import classes from './Connect.module.css';

/** The snippets of one connection; the names of its servers depend on all of them. */
export function buildSnippetsOf(agent: Agent, index: number, clients: readonly McpClient[]): Snippet[] {
  const { connections = [] } = agent;
  const countBefore = (end: number) =>
    buildSnippets({ ...agent, connections: connections.slice(0, end) }, clients).length;
  return buildSnippets(agent, clients).slice(countBefore(index), countBefore(index + 1));
}

/** The text of a snippet; below it, if it is chosen, the one for Windows, its place, and what copies it or opens its client. */
export function SnippetText({ snippet, isChosen = true }: { snippet: Snippet; isChosen?: boolean }) {
  const { label, place, text, href, windows } = snippet;
  const [shown, shownWindows] = [useRef<HTMLElement>(null), useRef<HTMLElement>(null)];
  return (
    <div dir="ltr">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a text that scrolls needs the keyboard */}
      <pre tabIndex={0}>
        <code ref={shown}>{text}</code>
      </pre>
      {isChosen && windows !== undefined && (
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
