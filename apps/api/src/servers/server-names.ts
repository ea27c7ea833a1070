import { MAX_SERVER_NAME_LENGTH, toEntrySlug, type Agent } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import type { Listener } from '../agents/agent-rows.ts';
import { chunksOf, toAgent } from '../db/records.ts';
import type { Engine } from '../db/engine.ts';
import type { AgentRow, Tables } from '../db/tables.ts';
import { describePublished, readOwnPublications } from '../publisher/publications.ts';
import { assignNames, hashName, readKey, type WantedName } from './name-rows.ts';

/** The condition of the agents that are MCP servers, which has an index. */
export const isServedRow = sql<boolean>`connects % 2 = 1`;
/** The same condition of a row that was read. */
export const isServed = ({ connects }: Pick<AgentRow, 'connects'>): boolean => connects % 2 === 1;

/** Longest name by the schema of MCP servers. */
export const MAX_NAME_LENGTH = 200;
/** A host that is no IP address. */
const HOST_NAME = /^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/;

type NamedAgent = Pick<
  Agent,
  'id' | 'name' | 'description' | 'connections' | 'serverName' | 'website' | 'websiteProof'
>;

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

/** Creates the listener that names the MCP servers among listed agents. A restore writes names itself. */
export function createServerNaming(namespace: string | undefined): Listener {
  return async (transaction, event) => {
    const isListed = event.type === 'listed' && !event.isRestored;
    if (namespace === undefined || !(isListed || event.type === 'updated')) return;
    const agents = event.agents.map(({ agent }) => agent);
    await nameServers(transaction, namespace, agents);
  };
}

/**
 * Gives MCP servers the names that their owners chose, and others a name of the registry. A name stays as long as its owner
 * chooses no other one; a chosen one goes with the proof of its host.
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
      .selectAll()
      .where('agent_id', 'in', ids)
      .where('given_up_at', 'is', null)
      .execute();
    const present = new Map(rows.map((row) => [row.agent_id, { name: row.name ?? '', isChosen: row.is_chosen === 1 }]));
    const published = await readOwnPublications(transaction, ids);
    await describePublished(transaction, servers, published);
    // One that was published is called so.
    const others = servers.filter(({ id }) => !published.has(id));
    const chosen = others.flatMap((agent) => {
      const { name } = chooseName(agent, serverNamespace, present.get(agent.id));
      const isNew = name !== undefined && name !== present.get(agent.id)?.name;
      return isNew ? [{ agentId: agent.id, name, isChosen: true }] : [];
    });
    const named = await takeNames(transaction, chosen);
    for (const agent of others) {
      const { name = '', isChosen = true } = present.get(agent.id) ?? {};
      const own = toProvedNamespace(agent);
      if (!isChosen || (own !== undefined && name.startsWith(`${own}/`))) named.add(agent.id);
    }
    // The long form where another agent has or had the short one.
    for (const toPart of [(id: string) => id.slice(0, 8), (id: string) => id.replaceAll('-', '')]) {
      const unnamed = others.filter(({ id }) => !named.has(id));
      const formed = unnamed.map((agent) => {
        const slug = toEntrySlug(agent, MAX_SERVER_NAME_LENGTH);
        return { agentId: agent.id, name: `${serverNamespace}/${slug}-${toPart(agent.id)}`, isChosen: false };
      });
      for (const id of await takeNames(transaction, formed)) named.add(id);
    }
  }
}

/** The reversed host that the owner of an agent controls; undefined without a proof, and for an IP address. */
function toProvedNamespace({ website, websiteProof }: Pick<Agent, 'website' | 'websiteProof'>): string | undefined {
  const host =
    (websiteProof === 'host' || websiteProof === 'key') && website !== null ? URL.parse(website)?.hostname : undefined;
  return host !== undefined && HOST_NAME.test(host) ? reverse(host) : undefined;
}

/**
 * The name that the owner of an agent chose, or why the agent cannot have it. Names of accounts on GitHub are given by the
 * registry of MCP alone, and `agents` here is the registry itself.
 * @param present the name that the agent has
 */
function chooseName(
  agent: NamedAgent,
  serverNamespace: string,
  present: { name: string; isChosen: boolean } | undefined,
): { name?: string; fault?: string } {
  if (agent.serverName === undefined) return {};
  const namespace = toProvedNamespace(agent);
  if (namespace === undefined)
    return { fault: 'Prove that you control the host of the website, which must have a name' };
  const name = `${namespace}/${agent.serverName}`;
  if (name.length > MAX_NAME_LENGTH) return { fault: `With its host it has more than ${MAX_NAME_LENGTH} characters` };
  if (namespace.startsWith('io.github') || name === `${serverNamespace}/agents`)
    return { fault: `${name} is reserved` };
  const isOwn = [serverNamespace, namespace].some((own) => present?.name.startsWith(`${own}/`));
  return present?.isChosen === false && !isOwn ? { fault: `Its source named it ${present.name}` } : { name };
}

/** Why an agent with a name is not called what its owner chose. */
export function explainName(agent: NamedAgent, serverNamespace: string, served: string): string | undefined {
  const { name, fault } = chooseName(agent, serverNamespace, { name: served, isChosen: false });
  return name === undefined || name === served
    ? fault
    : `Another entry has or had the name ${name}; an edit asks for it again`;
}

/**
 * Gives agents the names that are free: also those that they gave up, and chosen ones that no other server has now. Returns
 * the agents that have got theirs.
 */
async function takeNames(
  transaction: Kysely<Tables>,
  wanted: readonly (WantedName & { isChosen: boolean })[],
): Promise<Set<string>> {
  if (wanted.length === 0) return new Set();
  const key = await readKey(transaction);
  const hashed = wanted.map((one) => ({ ...one, hash: hashName(key, one.name) }));
  const hashes = hashed.map(({ hash }) => hash);
  const rows = await transaction
    .selectFrom('server_names')
    .leftJoin('agents', 'agents.id', 'agent_id')
    .select(['hash', 'agent_id', 'given_up_at', 'connects'])
    .where('hash', 'in', hashes)
    .execute();
  const known = new Map(rows.map((row) => [row.hash, row]));
  const seen = new Set<string>();
  const free = hashed.filter(({ agentId, isChosen, hash }) => {
    const row = known.get(hash);
    const isHeld = row?.given_up_at === null && isServed({ connects: row.connects ?? 0 });
    const isFree = !row || row.agent_id === agentId || (isChosen && !isHeld);
    return isFree && !seen.has(hash) && seen.add(hash);
  });
  await assignNames(transaction, free);
  return new Set(free.map(({ agentId }) => agentId));
}

/** Names the servers that were listed while the registry had no https address. */
export async function nameListedServers(engine: Engine): Promise<void> {
  const { serverNamespace } = engine;
  if (serverNamespace === undefined) return;
  const unnamed = await engine.db
    .selectFrom('agents')
    .leftJoin('server_names', (join) =>
      join.onRef('server_names.agent_id', '=', 'agents.id').on('given_up_at', 'is', null),
    )
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

/** Names the MCP servers among listed agents, by their ids. Returns these. */
export async function nameAgents(
  transaction: Kysely<Tables>,
  serverNamespace: string,
  ids: readonly string[],
): Promise<NamedAgent[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.selectFrom('agents').selectAll().where('id', 'in', ids).where(isServedRow).execute();
  const agents = rows.map(toAgent);
  await nameServers(transaction, serverNamespace, agents);
  return agents;
}
