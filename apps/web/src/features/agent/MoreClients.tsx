import { buildSnippets, moreMcpClients, type Agent, type Connection } from '@agent-registry/contracts';
import { SnippetText } from './Snippets.tsx';

export function MoreClients({ agent, connection }: { agent: Agent; connection: Connection }) {
  const snippets = buildSnippets(agent, moreMcpClients).filter((snippet) => snippet.connection === connection);
  return snippets.map((snippet) => (
    <section key={snippet.client}>
      <b>{snippet.label}</b>
      <SnippetText snippet={snippet} />
    </section>
  ));
}
