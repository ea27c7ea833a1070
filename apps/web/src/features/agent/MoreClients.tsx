import { buildSnippets, moreMcpClients, type Agent } from '@agent-registry/contracts';
import { SnippetList } from './SnippetList.tsx';

export function MoreClients({ agent }: { agent: Agent }) {
  return [...Map.groupBy(buildSnippets(agent, moreMcpClients), ({ label }) => label)].map(([label, own]) => (
    <section key={label}>
      <b>{label}</b>
      <SnippetList snippets={own} />
    </section>
  ));
}
