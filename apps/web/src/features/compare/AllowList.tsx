import { hashConnections, listAllowed, MAX_SHARED, toManagedSettingsPath, type Agent } from '@agent-registry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toAgentQuery, useApi } from '../../api/trpc.ts';
import { AsyncState } from '../../components/AsyncState.tsx';
import { CopyField } from '../../components/CopyField.tsx';
import { useSite } from '../../lib/site.ts';
import classes from './AllowList.module.css';

/** The address of a file that allows the MCP servers of these agents and no others, with what it allows. */
export function AllowList({ ids }: { ids: readonly string[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={`needs-scripts ${classes.root}`}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>Allow-list for Claude Code and Copilot</summary>
      <p>
        As managed-settings.json it lets them start these servers, and no others.
        <br />
        An entry that changes drops out until you look at it again and copy the address anew.
      </p>
      {isOpen && !window.isSecureContext && <p>This needs the https address of the registry.</p>}
      {isOpen && window.isSecureContext && <Allowed ids={ids.slice(0, MAX_SHARED)} />}
    </details>
  );
}

/** What is copied has the hashes of what is shown. */
function Allowed({ ids }: { ids: readonly string[] }) {
  const api = useApi();
  const { origin } = useSite();
  const { data, error, refetch } = useQuery({
    queryKey: ['allow-list', ids],
    queryFn: async () => {
      const versions = await Promise.all(ids.map((id) => toAgentQuery(api, id).queryFn()));
      return Promise.all(versions.filter((version) => typeof version === 'object').map(readEntry));
    },
  });
  if (!data) {
    return (
      <AsyncState error={error} errorMessage="The addresses could not be loaded." retry={refetch}>
        <p aria-busy>Loading addresses…</p>
      </AsyncState>
    );
  }
  const allowed = data.filter(({ texts }) => texts.length > 0);
  return (
    <>
      <ul className={classes.entries}>
        {allowed.map(({ id, name, texts }) => (
          <li key={id}>
            <bdi>{name}</bdi>
            {texts.map((text) => (
              <code key={text} dir="ltr">
                {text}
              </code>
            ))}
          </li>
        ))}
      </ul>
      {allowed.length === 0 ? (
        <p>None of these agents has an MCP server with an exact address or command.</p>
      ) : (
        <CopyField label="Address of the file" value={origin + toManagedSettingsPath(allowed)} />
      )}
    </>
  );
}

async function readEntry(agent: Agent) {
  const { servers } = listAllowed(agent);
  const texts = servers.flatMap(([server]) =>
    server === undefined ? [] : 'serverUrl' in server ? server.serverUrl : server.serverCommand.join(' '),
  );
  return { id: agent.id, name: agent.name, texts, hash: await hashConnections(agent.connections ?? []) };
}
