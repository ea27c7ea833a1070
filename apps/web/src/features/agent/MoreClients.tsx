import { moreMcpClients, type Agent, type Snippet } from '@agent-registry/contracts';
import { useRef } from 'react';
import { buildSnippetsOf, SnippetFoot, SnippetText } from './Snippets.tsx';

export function MoreClients({ agent, index }: { agent: Agent; index: number }) {
  return buildSnippetsOf(agent, index, moreMcpClients).map((snippet) => (
    <Client key={snippet.client} snippet={snippet} />
  ));
}

function Client({ snippet }: { snippet: Snippet }) {
  const shown = useRef<HTMLElement>(null);
  return (
    <section>
      <b>{snippet.label}</b>
      <SnippetText snippet={snippet} shown={shown} />
      <SnippetFoot snippet={snippet} shown={shown} />
    </section>
  );
}
