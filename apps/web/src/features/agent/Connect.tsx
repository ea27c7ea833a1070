import {
  addressOf,
  buildSnippets,
  describeArguments,
  describeCheck,
  describeConnection,
  describeDay,
  inputsOf,
  isFixed,
  isSafeConnection,
  mcpClients,
  type Agent,
  type Connection,
  type EntryFacts,
} from '@agent-registry/contracts';
import { Anchor, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useApi } from '../../api/trpc.ts';
import { Icon } from '../../components/Icon.tsx';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import circleCheck from '../../icons/circle-check.svg?raw';
import { useStored, writeStored } from '../../lib/storage.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import classes from './Connect.module.css';
import { Offered } from './Offered.tsx';
import { SnippetText } from './Snippets.tsx';

const lazyMoreClients = createLazyComponent(async () => (await import('./MoreClients.tsx')).MoreClients);

const CLIENT_KEY = 'agent-registry.client';
const parseClient = (json: unknown) => (typeof json === 'string' ? json : undefined);
const MORE = 'more';

export function Connect({ agent }: { agent: Agent }) {
  const { connections = [] } = agent;
  const { data: facts } = useQuery(useApi().queries.agents.facts.queryOptions({ id: agent.id }));
  const [way, setWay] = useState<string | null>('0');
  const [opened, setOpened] = useState<string>();
  const stored = useStored(CLIENT_KEY, parseClient);
  const choose = (client: string | null) => {
    setOpened(client ?? undefined);
    writeStored(CLIENT_KEY, client);
  };
  return (
    <>
      {facts?.connectionsChangedAt !== undefined && (
        <p className={classes.changed}>Address changed on {describeDay(facts.connectionsChangedAt)}.</p>
      )}
      {/* What a source says stands with the source. */}
      {facts?.server?.deprecated !== undefined && !facts.sources && (
        <p className={classes.changed}>
          Deprecated by its publisher. <bdi>{facts.server.deprecated}</bdi>
        </p>
      )}
      {/* Without scripts, which choose a tab, all panels are shown. */}
      <Tabs unstyled keepMountedMode="display-none" id="ways" value={way} onChange={setWay}>
        <Tabs.List aria-label="Ways to connect" className={`needs-scripts ${classes.ways}`}>
          {connections.map((connection, index) => (
            <Tabs.Tab key={index} value={`${index}`}>
              <WayName connection={connection} ways={connections} />
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {connections.map((connection, index) => (
          <Tabs.Panel key={index} value={`${index}`} className={classes.panel}>
            <h3 className="without-scripts">
              <WayName connection={connection} ways={connections} />
            </h3>
            <Address connection={connection} facts={facts} />
            <Offered offer={facts?.offers?.find(({ address }) => address === describeConnection(connection))} />
            <Clients
              agent={agent}
              connection={connection}
              isShown={way === `${index}`}
              client={opened ?? stored}
              onChoose={choose}
            />
            <Needs connection={connection} facts={facts} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

const wayNames: Record<Connection['kind'], string> = {
  mcp: 'Remote server',
  'mcp-package': 'Package',
  a2a: 'Agent card',
  skill: 'Skill',
  openapi: 'API description',
};

function detailOf(connection: Connection): string | undefined {
  if (connection.kind === 'mcp') return connection.transport === 'sse' ? 'SSE' : 'Streamable HTTP';
  return connection.kind === 'mcp-package' ? connection.registry : undefined;
}

/** Says which way it is: its kind and, where others are alike, its address. */
function WayName({ connection, ways }: { connection: Connection; ways: readonly Connection[] }) {
  const { kind } = connection;
  const detail = detailOf(connection);
  const alike = ways.filter((other) => other.kind === kind && detailOf(other) === detail);
  return (
    <>
      {wayNames[kind]}{' '}
      <span className="cut">{alike.length > 1 ? addressOf(connection).replace('https://', '') : detail}</span>
    </>
  );
}

type WayProps = { connection: Connection; facts: EntryFacts | undefined };

/** The address as plain text, and its last check. Only addresses that keep the rules of this version are links. */
function Address({ connection, facts }: WayProps) {
  const address = addressOf(connection);
  const version = connection.kind === 'mcp-package' && connection.version !== undefined && `@${connection.version}`;
  const isLink = !connection.kind.startsWith('mcp') && isSafeConnection(connection);
  const check = facts?.connections?.find((each) => each.address === describeConnection(connection));
  return (
    <p className={classes.address}>
      {isLink ? (
        <Anchor href={address} rel="nofollow ugc noopener" dir="ltr">
          {address}
        </Anchor>
      ) : (
        <code dir="ltr">
          {address}
          {version}
        </code>
      )}
      {check && (
        <span data-answered={check.result === 'answered' || undefined}>
          {check.result === 'answered' && <Icon svg={circleCheck} size={16} />}
          {describeCheck(check)}
        </span>
      )}
    </p>
  );
}

type ClientsProps = {
  agent: Agent;
  connection: Connection;
  /** Whether its way is chosen. */
  isShown: boolean;
  /** The client that was chosen last, on any page. */
  client: string | undefined;
  onChoose: (client: string | null) => void;
};

/** A tab for each client of an MCP server. Scripts make the text of the chosen one; without them all texts are there. */
function Clients({ agent, connection, isShown, client: last, onChoose }: ClientsProps) {
  const isHydrated = useHydrated();
  const snippets = buildSnippets(agent, mcpClients).filter((snippet) => snippet.connection === connection);
  const chosen = last === MORE ? undefined : (snippets.find(({ client }) => client === last) ?? snippets[0]);
  if (snippets.length === 0) return null;
  return (
    <div dir="ltr" className={`ink ${classes.code}`}>
      {isShown && (
        <Tabs
          unstyled
          id={`clients-${agent.connections?.indexOf(connection)}`}
          value={chosen?.client ?? MORE}
          onChange={onChoose}
        >
          <Tabs.List aria-label="Clients" className={`needs-scripts ${classes.clients}`}>
            {snippets.map(({ client, label }) => (
              <Tabs.Tab key={client} value={client}>
                {label}
              </Tabs.Tab>
            ))}
            <Tabs.Tab value={MORE}>More</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value={chosen?.client ?? MORE} className={chosen ? classes.panel : classes.more}>
            {chosen ? (
              <>
                <h4 className="without-scripts">{chosen.label}</h4>
                <SnippetText key={chosen.client} snippet={chosen} />
              </>
            ) : (
              <lazyMoreClients.Component
                agent={agent}
                connection={connection}
                failure="The other clients could not be loaded."
              />
            )}
          </Tabs.Panel>
        </Tabs>
      )}
      {!isHydrated && (
        <div className="without-scripts">
          {snippets.slice(isShown ? 1 : 0).map(({ client, label, place, text }) => (
            <Fragment key={client}>
              <h4>{`${label}: ${place}`}</h4>
              <pre>{text}</pre>
            </Fragment>
          ))}
        </div>
      )}
    </div>
  );
}

function Needs({ connection, facts }: WayProps) {
  const inputs = inputsOf(connection);
  const args = describeArguments(connection);
  const left = connection.kind.startsWith('mcp') ? (facts?.server?.left ?? []) : [];
  return (
    <>
      {inputs.length > 0 && (
        <table className={classes.inputs}>
          <caption className="visually-hidden">What it asks for</caption>
          <tbody>
            {inputs.map((input) => (
              <tr key={input.name}>
                <th scope="row">
                  <code dir="ltr">{isFixed(input) ? `${input.name}: ${input.value}` : input.name}</code>
                </th>
                <td dir="auto">{input.description}</td>
                <td>{isFixed(input) ? 'fixed' : input.required ? 'required' : 'optional'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {args.length > 0 && (
        <p className={classes.note}>
          With arguments: <code dir="ltr">{args.join(' ')}</code>
        </p>
      )}
      {left.length > 0 && (
        <p className={classes.note}>
          Left out in MCP registries: <span dir="ltr">{left.join('; ')}</span>
        </p>
      )}
      {connection.kind === 'mcp-package' && (
        <p className={classes.note}>
          This package runs code on your machine. The registry does not check who published it.
        </p>
      )}
    </>
  );
}
