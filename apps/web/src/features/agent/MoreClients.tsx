import { buildSnippets, moreMcpClients, type Connection } from '@agent-registry/contracts';
import { SnippetList } from './SnippetList.tsx';

export function MoreClients({ connections, name }: { connections: readonly Connection[]; name: string }) {
  const snippets = connections.flatMap((connection) => buildSnippets(connection, name, moreMcpClients));
  return [...Map.groupBy(snippets, ({ label }) => label)].map(([label, own]) => (
    <section key={label}>
      <b>{label}</b>
      <SnippetList snippets={own} />
    </section>
  ));
}
