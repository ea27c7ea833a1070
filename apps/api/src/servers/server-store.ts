import { toServerJson, type Agent, type Json } from '@agent-registry/contracts';
import { toAgent } from '../db/records.ts';
import type { Engine } from '../db/engine.ts';
import type { AgentRow } from '../db/tables.ts';
import { readPublicFacts } from './public-facts.ts';
import { readDocument, toBasis, toDocument, type ServerDocument } from './server-documents.ts';
import {
  findRemoved,
  isCalled,
  listServers,
  selectNamed,
  toVersion,
  type NamedServer,
  type ServerPageRequest,
} from './server-lists.ts';
import { explainName, isServed, isServedRow } from './server-names.ts';

/** Reads agents as MCP servers. */
export type ServerStore = ReturnType<typeof createServerStore>;

/** Creates the reader of MCP servers over a database. */
export function createServerStore({ db, serverNamespace }: Pick<Engine, 'db' | 'serverNamespace'>) {
  const named = selectNamed(db)
    .selectAll('agents')
    .select('server_names.name as served_name')
    .select(['given.name as given_name', 'given.version as given_version', 'given.document', 'given.basis'])
    .select(['given.status', 'given.status_message', 'given.published_at', 'given.updated_at as source_updated_at']);
  const factsOf = (ids: readonly string[]) => readPublicFacts(db, ids);
  const describe = async (rows: readonly ServedRow[]) => {
    const facts = await factsOf(rows.map(({ id }) => id));
    const key = `${serverNamespace}/facts`;
    return new Map(rows.map((row) => [row.id, { ...toServer(row), facts: { [key]: facts.get(row.id) ?? {} } }]));
  };
  return {
    async find(name: string): Promise<NamedServer | undefined> {
      const row = await named.where(isServedRow).where(isCalled(name)).executeTakeFirst();
      return row && (await describe([row])).get(row.id);
    },

    /** What the registry found out about agents, by their ids. */
    factsOf,

    /** Finds a name that is not served any more. */
    findRemoved: (name: string) => findRemoved(db, name),

    list(request: ServerPageRequest) {
      return listServers(db, (ids) => this.ofAgents(ids), request);
    },

    async ofAgents(ids: readonly string[]): Promise<Map<string, NamedServer>> {
      if (ids.length === 0) return new Map();
      const rows = await named.where('agents.id', 'in', ids).execute();
      // With the condition in SQL, PostgreSQL reads the index of all that are served.
      return describe(rows.filter(isServed));
    },

    /** Why an agent is not called what its owner chose; undefined if it is, or without a choice. */
    explainName: (agent: Agent, name: string) => explainName(agent, serverNamespace ?? '', name),

    /** The earlier versions of a server that its source gave, the newest first. */
    async earlierOf(agentId: string): Promise<ServerDocument[]> {
      const rows = await db
        .selectFrom('server_documents')
        .selectAll()
        .where('agent_id', '=', agentId)
        .where('is_latest', '=', 0)
        .orderBy('kept_at', 'desc')
        .orderBy('version', 'desc')
        .execute();
      return rows.map(toDocument);
    },

    /** Which of some agents changed at a time or later, before another one, in the last 400 days. */
    async changedIn(ids: readonly string[], from: string, to = '9999'): Promise<Set<string>> {
      const rows = await db
        .selectFrom('agent_changes')
        .select('agent_id')
        .where('agent_id', 'in', ids)
        .where('at', '>=', from)
        .where('at', '<', to)
        .execute();
      return new Set(rows.map(({ agent_id: id }) => id));
    },
  };
}

type ServedRow = AgentRow & {
  served_name: string | null;
  given_name: string | null;
  given_version: string | null;
  document: string | null;
  basis: string | null;
  status: ServerDocument['status'] | null;
  status_message: string | null;
  published_at: string | null;
  source_updated_at: string | null;
};

function toServer({ served_name, given_name, given_version, document, basis, status, ...row }: ServedRow) {
  const agent = toAgent(row);
  const named = { name: served_name as string, version: given_version ?? toVersion(row.changed_at) };
  const strict = toServerJson(agent, named);
  const isOfSource = document !== null && given_name === served_name && basis === toBasis(agent);
  const given = isOfSource ? readDocument(JSON.parse(document) as Json) : undefined;
  return {
    agentId: agent.id,
    ...named,
    status: status ?? 'active',
    ...(row.status_message !== null && { statusMessage: row.status_message }),
    server: given?.document ?? strict,
    left: given?.left ?? [],
    strict,
    isImported: given_version !== null,
    isVerbatim: given?.document !== undefined,
    createdAt: agent.createdAt,
    publishedAt: row.published_at ?? row.listed_at,
    updatedAt: row.source_updated_at ?? row.changed_at,
  };
}

/** The second of a version that `toVersion` made, such as `2026-11-26T18:15:00`; undefined for any other version. */
export function toSecond(version: string): string | undefined {
  const [, year, month, day, time = ''] = /^0\.(\d{4})(\d\d)(\d\d)\.(0|[1-9]\d{0,5})$/.exec(version) ?? [];
  if (year === undefined) return undefined;
  const [hour, minute, second] = time.padStart(6, '0').match(/../g) ?? [];
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}
