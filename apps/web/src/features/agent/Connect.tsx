import {
  addressOf,
  buildSnippets,
  connectsOf,
  connectsOptions,
  describeCheck,
  describeConnection,
  describeDay,
  inputsOf,
  isSafeConnection,
  mcpClients,
  type Agent,
  type Connection,
  type ConnectionFacts,
} from '@agent-registry/contracts';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useApi } from '../../api/trpc.ts';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import { useStored, writeStored } from '../../lib/storage.ts';
import classes from './Connect.module.css';
import { SnippetList } from './SnippetList.tsx';

const lazyMoreClients = createLazyComponent(async () => (await import('./MoreClients.tsx')).MoreClients);

const CLIENT_KEY = 'agent-registry.client';
const parseClient = (json: unknown) => (typeof json === 'string' ? json : undefined);

/** How to connect to an agent: its addresses as plain text, and what one gives to each client of its MCP servers. */
export function Connect({ agent }: { agent: Agent }) {
  const { connections = [] } = agent;
  const { data: facts } = useQuery(useApi().queries.agents.facts.queryOptions({ id: agent.id }));
  const offered = mcpClients
    .map((client) => ({ ...client, snippets: buildSnippets(agent, [client]) }))
    .filter(({ snippets }) => snippets.length > 0);
  const [opened, setOpened] = useState<string>();
  const stored = useStored(CLIENT_KEY, parseClient);
  const last = offered.find(({ client }) => client === stored) ?? offered[0];
  const chosen = opened ?? last?.client;
  const choose = (client: string) => {
    setOpened(client);
    writeStored(CLIENT_KEY, client);
  };
  return (
    <div className={classes.root}>
      {facts?.connectionsChangedAt !== undefined && (
        <p className={classes.changed}>Address changed on {describeDay(facts.connectionsChangedAt)}.</p>
      )}
      <ul className={classes.addresses}>
        {connections.map((connection) => (
          <Address
            key={addressOf(connection)}
            connection={connection}
            check={facts?.connections?.find(({ address }) => address === describeConnection(connection))}
          />
        ))}
      </ul>
      {facts?.server && (
        <p>
          In MCP registries: <code dir="ltr">{facts.server.name}</code>
        </p>
      )}
      {/* What a source says stands with the source. */}
      {facts?.server?.deprecated !== undefined && !facts.sources && (
        <p className={classes.changed}>
          Deprecated by its publisher. <bdi>{facts.server.deprecated}</bdi>
        </p>
      )}
      {facts?.server?.packages.map((each) => (
        <p key={each.identifier}>
          <code dir="ltr">{each.identifier}</code> with arguments of its source:{' '}
          <code dir="ltr">{each.arguments.join(' ')}</code>
        </p>
      ))}
      {offered.map(({ client, label, snippets }) => (
        <details
          key={client}
          name="client"
          open={client === chosen}
          onToggle={({ currentTarget }) => currentTarget.open && client !== chosen && choose(client)}
        >
          <summary>{label}</summary>
          <SnippetList snippets={snippets} />
        </details>
      ))}
      {offered.length > 0 && <MoreClients agent={agent} />}
    </div>
  );
}

/** A connection as plain text, with what it needs. Only addresses that keep the rules of this version are links. */
function Address({ connection, check }: { connection: Connection; check: ConnectionFacts | undefined }) {
  const address = addressOf(connection);
  const isPackage = connection.kind === 'mcp-package';
  const way = connectsOptions.find(({ value }) => connectsOf({ connections: [connection] }).includes(value));
  const isLink = !connection.kind.startsWith('mcp') && isSafeConnection(connection);
  return (
    <li>
      <b>{way?.label}</b>{' '}
      {isLink ? (
        <Anchor href={address} rel="nofollow ugc noopener" dir="ltr">
          {address}
        </Anchor>
      ) : (
        <code dir="ltr">
          {isPackage && `${connection.registry} `}
          {address}
          {isPackage && connection.version !== undefined && `@${connection.version}`}
        </code>
      )}
      {check && <p>{describeCheck(check)}</p>}
      {isPackage && <p>This package runs code on your machine. The registry does not check who published it.</p>}
      {inputsOf(connection).map(({ name, description, required }) => (
        <p key={name} dir="auto">
          <code>{name}</code>
          {required ? ' ' : ' (optional) '}
          {description}
        </p>
      ))}
    </li>
  );
}

function MoreClients({ agent }: { agent: Agent }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="needs-scripts" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Other clients</summary>
      {isOpen && <lazyMoreClients.Component agent={agent} failure="The other clients could not be loaded." />}
    </details>
  );
}
