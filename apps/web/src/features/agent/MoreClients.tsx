import { moreMcpClients, type Agent } from '@agent-registry/contracts';
import { buildSnippetsOf, SnippetText } from './Snippets.tsx';

export function MoreClients({ agent, index }: { agent: Agent; index: number }) {
  return buildSnippetsOf(agent, index, moreMcpClients).map((snippet) => (
    <section key={snippet.client}>
      <b>{snippet.label}</b>
      <SnippetText snippet={snippet} />
    </section>
  ));
}
