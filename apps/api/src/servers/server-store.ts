import { MAX_PAGE_BYTES, type Agent } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import { isGiven } from '../publisher/publications.ts';
import { readPublicFacts } from './public-facts.ts';
import { toDocument, type ServerDocument } from './server-documents.ts';
import { selectNamed, selectServers, toServer, toVersion, type NamedServer, type ServedRow } from './served-agents.ts';
import { explainName, isServed, isServedRow } from './server-names.ts';

export type ServerStore = ReturnType<typeof createServerStore>;

export function createServerStore({ db, serverNamespace }: Pick<Engine, 'db' | 'serverNamespace'>) {
  return {
    async find(name: string): Promise<NamedServer | undefined> {
      const row = await selectServers(db).where(isServedRow).where(isCalled(name)).executeTakeFirst();
      return row && (await toServers(db, [row], serverNamespace)).get(row.id);
    },

    /** What the registry found out about agents, by their ids. */
    factsOf: (ids: readonly string[]) => readPublicFacts(db, ids),

    async findRemoved(name: string): Promise<RemovedServer | undefined> {
      const row = await selectChanged(db).where(isCalled(name)).executeTakeFirst();
      return row && toRemoved(row);
    },

    list: (request: ServerPageRequest) => listServers(db, request, serverNamespace),

    ofAgents: (ids: readonly string[]) => readServers(db, ids, serverNamespace),

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

async function readServers(db: Kysely<Tables>, ids: readonly string[], namespace: string | undefined) {
  if (ids.length === 0) return new Map<string, NamedServer>();
  const rows = await selectServers(db).where('agents.id', 'in', ids).execute();
  // With the condition in SQL, PostgreSQL reads the index of all that are served.
  return toServers(db, rows.filter(isServed), namespace);
}

async function toServers(db: Kysely<Tables>, rows: readonly ServedRow[], namespace: string | undefined) {
  const facts = await readPublicFacts(
    db,
    rows.map(({ id }) => id),
  );
  const key = `${namespace}/facts`;
  const servers = rows.map((row): NamedServer => ({ ...toServer(row), facts: { [key]: facts.get(row.id) ?? {} } }));
  return new Map(servers.map((server) => [server.agentId, server]));
}

/** Most servers whose versions are compared for one page of a version, which may be shorter then. */
const MAX_COMPARED = 2_000;
/** Names that are few. */
const FEW = 200;
/** The most bytes of a page of servers as JSON. */
const PAGE_BYTES = MAX_PAGE_BYTES / 4;

/** The name of a server that is no longer listed, or has another name. */
export type RemovedServer = { name: string; version: string; updatedAt: string };

/** A place in the list of servers, or in that of their changes, where an agent can have several names. */
export type ServerPlace = { at: string; number: number; name?: number | undefined };

/** A request for a page of servers. */
export type ServerPageRequest = {
  limit: number;
  after?: ServerPlace | undefined;
  /** Only servers of this version; a page can be short, or empty, before the last one. */
  version?: string | undefined;
  /** Only names with this text, in any letter case. */
  text?: string | undefined;
  /** Only servers that changed at this time or later, in the order of their changes, with those that are removed. */
  since?: string | undefined;
};

/** Reads a page of listed servers, in the order of listing or of changes, and the place after which the next begins. */
export async function listServers(
  db: Kysely<Tables>,
  { limit, after, version, text, since }: ServerPageRequest,
  namespace: string | undefined,
  maxCompared = MAX_COMPARED,
): Promise<{ servers: (NamedServer | RemovedServer)[]; next: ServerPlace | undefined }> {
  const isNamed = text === undefined ? sql<boolean>`TRUE` : await findNamed(db, text);
  const compared = version === undefined ? limit + 1 : maxCompared;
  const rows = await (since === undefined ? selectListed(db, after) : selectChanges(db, since, after))
    .$if(text !== undefined, (query) => query.where(isNamed))
    .limit(compared)
    .execute();
  const found = rows.filter((row) => version === undefined || versionOf(row) === version);
  const listed = await readServers(
    db,
    found.slice(0, limit).map(({ id }) => id),
    namespace,
  );
  const servers: (NamedServer | RemovedServer)[] = [];
  let last = rows.length < compared ? undefined : rows.at(-1);
  let size = 0;
  for (const [index, row] of found.entries()) {
    const removed = since === undefined ? undefined : toRemoved(row);
    const server = (row.given_up_at === null && listed.get(row.id)) || removed;
    size += Buffer.byteLength(JSON.stringify(server ?? ''));
    if (index === limit || (size > PAGE_BYTES && index > 0)) {
      last = found[index - 1];
      break;
    }
    if (server) servers.push(server);
  }
  return { servers, next: last && { at: last.at, number: last.number, name: last.name_number } };
}

export function isCalled(name: string) {
  return sql<boolean>`lower(server_names.name) = ${name.toLowerCase()}`;
}

/** The condition of names with a text; if they are few, of these themselves: a walk over all servers would take long. */
async function findNamed(db: Kysely<Tables>, text: string) {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const hasText = sql<boolean>`lower(server_names.name) LIKE ${pattern} ESCAPE '\\'`;
  const found = await db
    .selectFrom('server_names')
    .select('number')
    .where(hasText)
    .limit(FEW + 1)
    .execute();
  const numbers = found.map(({ number }) => number);
  return found.length > FEW
    ? hasText
    : sql<boolean>`server_names.number IN (${sql.join(numbers.length > 0 ? numbers : [-1])})`;
}

function selectListed(db: Kysely<Tables>, after: ServerPlace | undefined) {
  return selectNamed(db)
    .select(['agents.id', 'server_names.name', 'server_names.number as name_number', 'given_up_at', 'given.version'])
    .select(['listed_at as at', 'seq as number', 'changed_at'])
    .where(isServedRow)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(agents.listed_at, agents.seq) > (${after?.at}, ${after?.number})`),
    )
    .orderBy('agents.listed_at')
    .orderBy('agents.seq');
}

/** Selects the names that agents have or gave up, by their latest changes. */
function selectChanged(db: Kysely<Tables>) {
  return db
    .selectFrom('agent_changes')
    .innerJoin('server_names', 'server_names.agent_id', 'agent_changes.agent_id')
    .leftJoin('agents', 'agents.id', 'agent_changes.agent_id')
    .leftJoin('server_documents as given', (join) =>
      join
        .onRef('given.agent_id', '=', 'agent_changes.agent_id')
        .on('given.is_latest', '=', sql.lit(1))
        .on(sql<boolean>`(agents.id IS NULL OR ${isGiven})`),
    )
    .select(['agent_changes.agent_id as id', 'server_names.name', 'server_names.number as name_number', 'given_up_at'])
    .select(['given.version', 'agent_changes.at', 'agent_changes.number', 'changed_at'])
    .where('agent_changes.is_latest', '=', sql.lit(1))
    .where('server_names.name', 'is not', null);
}

function selectChanges(db: Kysely<Tables>, since: string, after: ServerPlace | undefined) {
  const place = sql`(${after?.at}, ${after?.number}, ${after?.name})`;
  return selectChanged(db)
    .where('at', '>=', since)
    .where((where) => where.or([where('given_up_at', 'is', null), where('given_up_at', '>=', since)]))
    .$if(after !== undefined, (query) =>
      query
        .where('at', '>=', after?.at as string)
        .where(sql<boolean>`(agent_changes.at, agent_changes.number, server_names.number) > ${place}`),
    )
    .orderBy('at')
    .orderBy('agent_changes.number')
    .orderBy('server_names.number');
}

type NameInList = Awaited<ReturnType<ReturnType<typeof selectChanged>['execute']>>[number];

function versionOf({ version, changed_at: changedAt, at }: NameInList): string {
  return version ?? toVersion(changedAt ?? at);
}

function toRemoved(row: NameInList): RemovedServer {
  return { name: row.name as string, version: versionOf(row), updatedAt: row.given_up_at ?? row.at };
}
