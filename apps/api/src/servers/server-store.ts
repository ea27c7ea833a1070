import { MAX_PAGE_BYTES, toServerJson, type Json, type LeftPart } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import { isUnclaimed, toAgent } from '../db/records.ts';
import type { AgentRow, Tables } from '../db/tables.ts';
import { readDocument, toBasis, toDocument, type ServerDocument } from './server-documents.ts';
import { isServed, isServedRow } from './server-names.ts';

/** Most servers whose versions are compared for one page of a version, which may be shorter then. */
const MAX_COMPARED = 2_000;
/** The most bytes of a page of servers as JSON. */
const PAGE_BYTES = MAX_PAGE_BYTES / 4;

/** An agent as an MCP server of the registry. */
export type NamedServer = {
  agentId: string;
  name: string;
  version: string;
  status: ServerDocument['status'];
  statusMessage?: string | undefined;
  /** Its description: that of its source where that is given as it is, else the strict one. */
  server: object;
  /** The description that is made of the fields of the agent. */
  strict: object;
  /** Whether the server is described by its source. */
  isImported: boolean;
  /** Whether the description of its source is given as it is. */
  isVerbatim: boolean;
  /** What its source says and is not given. */
  left: readonly LeftPart[];
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
type ServerPage = { servers: (NamedServer | RemovedServer)[]; next: ServerPlace | undefined };

type ServerPageRequest = {
  limit: number;
  after?: ServerPlace | undefined;
  /** Only servers of this version; a page can be short, or empty, before the last one. */
  version?: string | undefined;
};

/** Reads agents as MCP servers. */
export type ServerStore = ReturnType<typeof createServerStore>;

/** Creates the reader of MCP servers over a database. */
export function createServerStore(db: Kysely<Tables>, maxCompared = MAX_COMPARED) {
  const named = db
    .selectFrom('agents')
    .innerJoin('server_names', 'server_names.agent_id', 'agents.id')
    // An agent that somebody has claimed is described by its owner.
    .leftJoin('server_documents as given', (join) =>
      join.onRef('given.agent_id', '=', 'agents.id').on('given.is_latest', '=', sql.lit(1)).on(isUnclaimed),
    )
    .selectAll('agents')
    .select('server_names.name as served_name')
    .select(['given.name as given_name', 'given.version as given_version', 'given.document', 'given.basis'])
    .select(['given.status', 'given.status_message']);
  const served = named.where(isServedRow);
  return {
    async find(name: string): Promise<NamedServer | undefined> {
      const row = await served.where('server_names.name', '=', name).executeTakeFirst();
      return row && toServer(row);
    },

    async ofAgents(ids: readonly string[]): Promise<Map<string, NamedServer>> {
      if (ids.length === 0) return new Map();
      const rows = await named.where('agents.id', 'in', ids).execute();
      // With the condition in SQL, PostgreSQL reads the index of all that are served.
      return new Map(rows.filter(isServed).map((row) => [row.id, toServer(row)]));
    },

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
      const last = version === undefined ? undefined : await findPlace(db, { after, distance: maxCompared });
      const rows = await served
        .$if(after !== undefined, (query) => query.where(isAfter(after as ServerPlace)))
        .$if(version !== undefined, (query) => query.where(isOfVersion(version as string)))
        .$if(last !== undefined, (query) => query.where((where) => where.not(isAfter(last as ServerPlace))))
        .orderBy('agents.listed_at')
        .orderBy('agents.seq')
        .limit(limit + 1)
        .execute();
      const page = toPage(rows, limit, toServer, ({ listed_at: at, seq: number }) => ({ at, number }));
      return { ...page, next: page.next ?? last };
    },

    /** The servers that changed at a time or later, with those that are no longer listed, in the order of their changes. */
    async changes({ limit, after, since }: ServerPageRequest & { since: string }): Promise<ServerPage> {
      const changed = await selectChanged(db, since)
        .$if(after !== undefined, (query) =>
          query.where(sql<boolean>`(agent_changes.at, agent_changes.number) > (${after?.at}, ${after?.number})`),
        )
        .limit(limit + 1)
        .execute();
      const listed = await this.ofAgents(changed.map(({ agent_id: id }) => id));
      const toEntry = ({ agent_id: id, name, at, version }: (typeof changed)[number]) =>
        listed.get(id) ?? { name: name as string, version: version ?? toVersion(at), changedAt: at };
      return toPage(changed, limit, toEntry, ({ at, number }) => ({ at, number }));
    },
  };
}

/** The condition of the servers that were listed after a place. */
function isAfter({ at, number }: ServerPlace) {
  return sql<boolean>`(agents.listed_at, agents.seq) > (${at}, ${number})`;
}

/** The place of the server at a distance after another place; undefined if there are fewer servers. */
async function findPlace(
  db: Kysely<Tables>,
  { after, distance }: { after: ServerPlace | undefined; distance: number },
): Promise<ServerPlace | undefined> {
  return db
    .selectFrom('agents')
    .select(['listed_at as at', 'seq as number'])
    .where(isServedRow)
    .$if(after !== undefined, (query) => query.where(isAfter(after as ServerPlace)))
    .orderBy('listed_at')
    .orderBy('seq')
    .offset(distance - 1)
    .limit(1)
    .executeTakeFirst();
}

/** Selects the latest changes of the agents that were servers, with the latest versions that their sources gave. */
function selectChanged(db: Kysely<Tables>, since: string) {
  return db
    .selectFrom('agent_changes')
    .innerJoin('server_names', 'server_names.agent_id', 'agent_changes.agent_id')
    .leftJoin('server_documents as given', (join) =>
      join.onRef('given.agent_id', '=', 'agent_changes.agent_id').on('given.is_latest', '=', sql.lit(1)),
    )
    .select(['agent_changes.agent_id', 'agent_changes.at', 'agent_changes.number', 'server_names.name'])
    .select('given.version')
    .where('agent_changes.is_latest', '=', sql.lit(1))
    .where('at', '>=', since)
    .orderBy('at')
    .orderBy('agent_changes.number');
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

type ServedRow = AgentRow & {
  served_name: string | null;
  given_name: string | null;
  given_version: string | null;
  document: string | null;
  basis: string | null;
  status: ServerDocument['status'] | null;
  status_message: string | null;
};

function toServer({ served_name, given_name, given_version, document, basis, status, ...row }: ServedRow): NamedServer {
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

/** The condition of the servers of a version: that of their source, or the second of their last change. */
function isOfVersion(version: string) {
  const second = toSecond(version);
  if (second === undefined) return sql<boolean>`given.version = ${version}`;
  const isChangedThen = sql`agents.changed_at BETWEEN ${`${second}.000Z`} AND ${`${second}.999Z`}`;
  return sql<boolean>`(given.version = ${version} OR (given.version IS NULL AND ${isChangedThen}))`;
}
