import { createHmac, randomBytes } from 'node:crypto';
import { MAX_SERVER_NAME_LENGTH, toEntrySlug, type Agent } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import type { Listener } from '../agents/agent-rows.ts';
import { chunksOf, toAgent } from '../db/records.ts';
import type { Engine } from '../db/engine.ts';
import type { AgentRow, Tables } from '../db/tables.ts';

/** The condition of the agents that are MCP servers, which has an index. */
export const isServedRow = sql<boolean>`connects % 2 = 1`;
/** The same condition of a row that was read. */
export const isServed = ({ connects }: Pick<AgentRow, 'connects'>): boolean => connects % 2 === 1;

/** Longest name by the schema of MCP servers. */
const MAX_NAME_LENGTH = 200;
/** A host that is no IP address. */
const HOST_NAME = /^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/;

/** What names are made of. */
type NamedAgent = Pick<Agent, 'id' | 'name' | 'connections' | 'serverName' | 'website' | 'websiteProof'>;

/**
 * The namespace of the servers of a registry: its host, reversed. Undefined without an https address, since clients read
 * registries by https only.
 * @example toNamespace('https://registry.example') // 'example.registry'
 */
export function toNamespace(publicUrl: string | undefined): string | undefined {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  return url?.protocol === 'https:' ? reverse(url.hostname) : undefined;
}

function reverse(host: string): string {
  return host.split('.').toReversed().join('.');
}

/**
 * Whether an agent is an MCP server that clients can read about. Hosts of `.example` are for documentation: they are those
 * of the sample agents.
 */
export function isServer({ connections = [] }: Pick<Agent, 'connections'>): boolean {
  return connections.some(
    ({ kind, ...rest }) =>
      kind === 'mcp-package' || ('url' in rest && kind === 'mcp' && !new URL(rest.url).hostname.endsWith('.example')),
  );
}

/**
 * Creates the listener that names the MCP servers among listed agents. A name stays until the owner chooses another one, and
 * is never given again.
 */
export function createServerNaming(namespace: string | undefined): Listener {
  return async (transaction, { type, agents }) => {
    if (namespace === undefined || (type !== 'listed' && type !== 'updated')) return;
    await nameServers(
      transaction,
      namespace,
      agents.map(({ agent }) => agent),
    );
  };
}

/**
 * Names the MCP servers among agents that have no name, or that have not the name that their owners chose. A name that its
 * source gave is not replaced.
 */
async function nameServers(
  transaction: Kysely<Tables>,
  serverNamespace: string,
  agents: readonly NamedAgent[],
): Promise<void> {
  for (const servers of chunksOf(agents.filter(isServer))) {
    const ids = servers.map(({ id }) => id);
    const rows = await transaction
      .selectFrom('server_names')
      .select(['agent_id', 'name'])
      .where('agent_id', 'in', ids)
      .execute();
    const names = new Map(rows.map(({ agent_id: id, name }) => [id, name]));
    const wanted = servers.flatMap((agent) => toChosenName(agent, serverNamespace, names.get(agent.id)) ?? []);
    const refused = await takeNames(transaction, wanted);
    const named = new Set([...names.keys(), ...wanted.map(({ agentId: id }) => id).filter((id) => !refused.has(id))]);
    const unnamed = servers.filter(({ id }) => !named.has(id));
    const left = await takeNames(
      transaction,
      unnamed.map((agent) => toName(serverNamespace, agent, agent.id.slice(0, 8))),
    );
    // Another agent has or had the short form.
    const others = unnamed.filter(({ id }) => left.has(id));
    await takeNames(
      transaction,
      others.map((agent) => toName(serverNamespace, agent, agent.id.replaceAll('-', ''))),
    );
  }
}

/**
 * The name that the owner of an agent chose, if it has another one: below the host that the owner was seen to control. Names
 * of GitHub's accounts are given by the registry of MCP alone, and `agents` here is the registry itself.
 */
function toChosenName(
  { id, serverName, website, websiteProof }: NamedAgent,
  serverNamespace: string,
  current: string | null | undefined,
): { agentId: string; name: string } | undefined {
  const host = websiteProof === 'host' && website !== null ? URL.parse(website)?.hostname : undefined;
  if (serverName === undefined || host === undefined || !HOST_NAME.test(host)) return undefined;
  const namespace = reverse(host);
  const name = `${namespace}/${serverName}`;
  const isKept = current && ![serverNamespace, namespace].includes(current.split('/', 1).join());
  const isReserved = namespace.startsWith('io.github') || name === `${serverNamespace}/agents`;
  if (isKept || isReserved || name === current || name.length > MAX_NAME_LENGTH) return undefined;
  return { agentId: id, name };
}

function toName(namespace: string, agent: NamedAgent, part: string) {
  return { agentId: agent.id, name: `${namespace}/${toEntrySlug(agent, MAX_SERVER_NAME_LENGTH)}-${part}` };
}

/** Gives names to agents, as part of a transaction. Returns the agents whose name another one has or had. */
async function takeNames(
  transaction: Kysely<Tables>,
  named: readonly { agentId: string; name: string }[],
): Promise<Set<string>> {
  if (named.length === 0) return new Set();
  const key = await readKey(transaction);
  const rows = named.map(({ agentId, name }) => ({ agent_id: agentId, name, hash: hashName(key, name) }));
  const hashes = rows.map(({ hash }) => hash);
  const known = await transaction.selectFrom('server_names').select('hash').where('hash', 'in', hashes).execute();
  const taken = new Set(known.map(({ hash }) => hash));
  const left = new Set<string>();
  const free = rows.filter(({ agent_id: id, hash }) => {
    if (taken.has(hash)) left.add(id);
    return !taken.has(hash) && taken.add(hash);
  });
  if (free.length > 0) {
    // The hash of a former name stays, so that nobody else gets it.
    await transaction
      .updateTable('server_names')
      .set({ name: null, agent_id: null })
      .where(
        'agent_id',
        'in',
        free.map(({ agent_id: id }) => id),
      )
      .execute();
    await transaction.insertInto('server_names').values(free).execute();
  }
  return left;
}

/** Finds the key of the hashes; undefined before the first name. */
export async function findKey(db: Kysely<Tables>): Promise<string | undefined> {
  return (await db.selectFrom('server_name_key').select('value').orderBy('value').executeTakeFirst())?.value;
}

/** Reads the key of the hashes. A restored backup of an older version has none. */
export async function readKey(transaction: Kysely<Tables>): Promise<string> {
  const known = await findKey(transaction);
  if (known !== undefined) return known;
  const value = randomBytes(32).toString('base64url');
  await transaction.insertInto('server_name_key').values({ value }).execute();
  return value;
}

/** The keyed hash of a name without letter case, which stays when the name is erased. */
export function hashName(key: string, name: string): string {
  return createHmac('sha256', key).update(name.toLowerCase()).digest('base64url');
}

/** Names the servers that were listed while the registry had no https address. */
export async function nameListedServers(engine: Engine): Promise<void> {
  const { serverNamespace } = engine;
  if (serverNamespace === undefined) return;
  const unnamed = await engine.db
    .selectFrom('agents')
    .leftJoin('server_names', 'server_names.agent_id', 'agents.id')
    .select('agents.id')
    .where('server_names.number', 'is', null)
    .where(isServedRow)
    .execute();
  for (const chunk of chunksOf(unnamed)) {
    await engine.db.transaction().execute(async (transaction) => {
      await engine.lockWrites(transaction);
      const ids = chunk.map(({ id }) => id);
      await nameAgents(transaction, serverNamespace, ids);
    });
  }
}

/** Names the MCP servers among listed agents, by their ids. */
export async function nameAgents(
  transaction: Kysely<Tables>,
  serverNamespace: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await transaction.selectFrom('agents').selectAll().where('id', 'in', ids).where(isServedRow).execute();
  await nameServers(transaction, serverNamespace, rows.map(toAgent));
}
