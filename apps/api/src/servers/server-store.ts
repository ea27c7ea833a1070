import { MAX_PAGE_BYTES, toServerJson } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import { toAgent } from '../db/records.ts';
import type { AgentRow, Tables } from '../db/tables.ts';
import { isServedRow } from './server-names.ts';

/** The most bytes of a page of servers as JSON. */
const PAGE_BYTES = MAX_PAGE_BYTES / 4;

/** An agent as an MCP server of the registry. */
export type NamedServer = {
  agentId: string;
  name: string;
  version: string;
  server: object;
  /** ISO 8601 in UTC with milliseconds, as all times here. */
  createdAt: string;
  listedAt: string;
  changedAt: string;
};

/** A server that is no longer listed. */
export type RemovedServer = { name: string; version: string; changedAt: string };

/** A place in the list of servers, or in that of their changes. */
export type ServerPlace = { at: string; number: number };

/** A page of servers, and the place after which the next one begins; undefined for the last page. */
export type ServerPage = { servers: (NamedServer | RemovedServer)[]; next: ServerPlace | undefined };

export type ServerPageRequest = {
  limit: number;
  after?: ServerPlace | undefined;
  /** Only servers of this version. */
  version?: string | undefined;
};

/** Reads agents as MCP servers. */
export type ServerStore = ReturnType<typeof createServerStore>;

/** Creates the reader of MCP servers over a database. */
export function createServerStore(db: Kysely<Tables>) {
  const served = db
    .selectFrom('agents')
    .innerJoin('server_names', 'server_names.agent_id', 'agents.id')
    .selectAll('agents')
    .select('server_names.name as server_name')
    .where(isServedRow);
  return {
    /** Finds a listed server by its name, as it is spelled. */
    async find(name: string): Promise<NamedServer | undefined> {
      const row = await served.where('server_names.name', '=', name).executeTakeFirst();
      return row && toServer(row);
    },

    /** The listed servers among agents, by their ids. */
    async ofAgents(ids: readonly string[]): Promise<Map<string, NamedServer>> {
      if (ids.length === 0) return new Map();
      const rows = await served.where('agents.id', 'in', ids).execute();
      return new Map(rows.map((row) => [row.id, toServer(row)]));
    },

    /** Whether an agent changed in a second of the last 400 days, in which changes are kept. */
    async changedIn(agentId: string, second: string): Promise<boolean> {
      const row = await db
        .selectFrom('agent_changes')
        .select('number')
        .where('agent_id', '=', agentId)
        .where('at', '>=', `${second}.000Z`)
        .where('at', '<=', `${second}.999Z`)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The listed servers in the order in which they were listed first. */
    async list({ limit, after, version }: ServerPageRequest): Promise<ServerPage> {
      const rows = await served
        .$if(after !== undefined, (query) =>
          query.where(sql<boolean>`(agents.listed_at, agents.seq) > (${after?.at}, ${after?.number})`),
        )
        .$if(version !== undefined, (query) => query.where(isOfVersion(version as string)))
        .orderBy('agents.listed_at')
        .orderBy('agents.seq')
        .limit(limit + 1)
        .execute();
      return toPage(rows, limit, toServer, ({ listed_at: at, seq: number }) => ({ at, number }));
    },

    /** The servers that changed at a time or later, with those that are no longer listed, in the order of their changes. */
    async changes({ limit, after, since }: ServerPageRequest & { since: string }): Promise<ServerPage> {
      const changed = await db
        .selectFrom('agent_changes')
        .innerJoin('server_names', 'server_names.agent_id', 'agent_changes.agent_id')
        .select(['agent_changes.agent_id', 'agent_changes.at', 'agent_changes.number', 'server_names.name'])
        .where('is_latest', '=', sql.lit(1))
        .where('at', '>=', since)
        .$if(after !== undefined, (query) =>
          query.where(sql<boolean>`(agent_changes.at, agent_changes.number) > (${after?.at}, ${after?.number})`),
        )
        .orderBy('at')
        .orderBy('agent_changes.number')
        .limit(limit + 1)
        .execute();
      const listed = await this.ofAgents(changed.map(({ agent_id: id }) => id));
      const toEntry = ({ agent_id: id, name, at }: (typeof changed)[number]) =>
        listed.get(id) ?? { name: name as string, version: toVersion(at), changedAt: at };
      return toPage(changed, limit, toEntry, ({ at, number }) => ({ at, number }));
    },
  };
}

/** A page ends before the row that exceeds its bound in bytes, unless that is its first. */
function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  toServer: (row: Row) => NamedServer | RemovedServer,
  toPlace: (row: Row) => ServerPlace,
): ServerPage {
  const servers: (NamedServer | RemovedServer)[] = [];
  let size = 0;
  for (const row of rows.slice(0, limit)) {
    const server = toServer(row);
    size += Buffer.byteLength(JSON.stringify(server));
    if (size > PAGE_BYTES && servers.length > 0) break;
    servers.push(server);
  }
  const last = rows.length > servers.length ? rows[servers.length - 1] : undefined;
  return { servers, next: last && toPlace(last) };
}

type ServedRow = AgentRow & { server_name: string | null };

function toServer({ server_name: name, ...row }: ServedRow): NamedServer {
  const agent = toAgent(row);
  const named = { name: name as string, version: toVersion(row.changed_at) };
  return {
    agentId: agent.id,
    ...named,
    server: toServerJson(agent, named),
    createdAt: agent.createdAt,
    listedAt: row.listed_at,
    changedAt: row.changed_at,
  };
}

/**
 * The version of a server: the second of its last change, as numbers without leading zeros.
 * @example toVersion('2026-11-26T18:15:00.000Z') // '0.20261126.181500'
 */
function toVersion(at: string): string {
  const [date = '', time = ''] = at.slice(0, 19).replaceAll(/[-:]/g, '').split('T');
  return `0.${date}.${Number(time)}`;
}

/** The second of a version that `toVersion` made, such as `2026-11-26T18:15:00`; undefined for any other version. */
export function toSecond(version: string): string | undefined {
  const [, year, month, day, time = ''] = /^0\.(\d{4})(\d\d)(\d\d)\.(0|[1-9]\d{0,5})$/.exec(version) ?? [];
  if (year === undefined) return undefined;
  const [hour, minute, second] = time.padStart(6, '0').match(/../g) ?? [];
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** The condition of the servers of a version; none is of a version that is no second. */
function isOfVersion(version: string) {
  const second = toSecond(version) ?? '';
  return sql<boolean>`agents.changed_at BETWEEN ${`${second}.000Z`} AND ${`${second}.999Z`}`;
}
