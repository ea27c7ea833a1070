import { MAX_PAGE_BYTES, type LeftPart } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { isGiven } from '../publisher/publications.ts';
import type { PublicFacts } from './public-facts.ts';
import { isServedRow } from './server-names.ts';
import type { ServerDocument } from './server-documents.ts';

/** Most servers whose versions are compared for one page of a version, which may be shorter then. */
const MAX_COMPARED = 2_000;
/** Names that are few. */
const FEW = 200;
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
  /** As its source says, or else when it was listed first and changed last. */
  publishedAt: string;
  updatedAt: string;
  /** What the registry found out about it, by the key of such facts. */
  facts: Record<string, PublicFacts>;
};

/** The name of a server that is no longer listed, or has another name. */
export type RemovedServer = { name: string; version: string; updatedAt: string };

/** A place in the list of servers, or in that of their changes, where an agent can have several names. */
export type ServerPlace = { at: string; number: number; name?: number | undefined };

/** A page of a list: its servers, and the place after which the next page begins; undefined for the last one. */
type ServerPage = { servers: (NamedServer | RemovedServer)[]; next: ServerPlace | undefined };

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

/** Reads a page of the listed servers, in the order in which they were listed first, or of their changes. */
export async function listServers(
  db: Kysely<Tables>,
  readServers: (ids: readonly string[]) => Promise<Map<string, NamedServer>>,
  { limit, after, version, text, since }: ServerPageRequest,
  maxCompared = MAX_COMPARED,
): Promise<ServerPage> {
  const isNamed = text === undefined ? sql<boolean>`TRUE` : await findNamed(db, text);
  const compared = version === undefined ? limit + 1 : maxCompared;
  const rows = await (since === undefined ? selectListed(db, after) : selectChanges(db, since, after))
    .$if(text !== undefined, (query) => query.where(isNamed))
    .limit(compared)
    .execute();
  const found = rows.filter((row) => version === undefined || versionOf(row) === version);
  const listed = await readServers(found.slice(0, limit).map(({ id }) => id));
  const servers: ServerPage['servers'] = [];
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

/** Finds a name that is not served any more. */
export async function findRemoved(db: Kysely<Tables>, name: string): Promise<RemovedServer | undefined> {
  const row = await selectChanged(db).where(isCalled(name)).executeTakeFirst();
  return row && toRemoved(row);
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

/** Selects listed agents that have names as servers, and how the sources of those that nobody has claimed describe them. */
export function selectNamed(db: Kysely<Tables>) {
  return db
    .selectFrom('agents')
    .innerJoin('server_names', 'server_names.agent_id', 'agents.id')
    .leftJoin('server_documents as given', (join) =>
      join.onRef('given.agent_id', '=', 'agents.id').on('given.is_latest', '=', sql.lit(1)).on(isGiven),
    )
    .where('given_up_at', 'is', null);
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

/**
 * The version of a server: the second of its last change, as numbers without leading zeros.
 * @example toVersion('2026-11-26T18:15:00.000Z') // '0.20261126.181500'
 */
export function toVersion(at: string): string {
  const [date = '', time = ''] = at.slice(0, 19).replaceAll(/[-:]/g, '').split('T');
  return `0.${date}.${Number(time)}`;
}
