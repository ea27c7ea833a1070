// Listed agents as MCP servers.
import { toServerJson, type Json } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import { toAgent } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import { isGiven } from '../publisher/publications.ts';
import type { PublicFacts } from './public-facts.ts';
import { readDocument, toBasis } from './server-documents.ts';

export type NamedServer = ReturnType<typeof toServer> & {
  /** What the registry found out about it, by the key of such facts. */
  facts: Record<string, PublicFacts>;
};

export type ServedRow = Awaited<ReturnType<ReturnType<typeof selectServers>['execute']>>[number];

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

/** Selects what servers are made of. */
export function selectServers(db: Kysely<Tables>) {
  return selectNamed(db)
    .selectAll('agents')
    .select('server_names.name as served_name')
    .select(['given.name as given_name', 'given.version as given_version', 'given.document', 'given.basis'])
    .select(['given.status', 'given.status_message', 'given.published_at', 'given.updated_at as source_updated_at']);
}

export function toServer({ served_name, given_name, given_version, document, basis, status, ...row }: ServedRow) {
  const agent = toAgent(row);
  const named = { name: served_name as string, version: given_version ?? toVersion(row.changed_at) };
  /** The description that is made of the fields of the agent. */
  const strict: object = toServerJson(agent, named);
  const isOfSource = document !== null && given_name === served_name && basis === toBasis(agent);
  const given = isOfSource ? readDocument(JSON.parse(document) as Json) : undefined;
  return {
    agentId: agent.id,
    ...named,
    status: status ?? 'active',
    ...(row.status_message !== null && { statusMessage: row.status_message }),
    /** Its description: that of its source where that is given as it is, else the strict one. */
    server: given?.document ?? strict,
    /** What its source says and is not given. */
    left: given?.left ?? [],
    strict,
    /** Whether the server is described by its source, and whether that description is given as it is. */
    isImported: given_version !== null,
    isVerbatim: given?.document !== undefined,
    createdAt: agent.createdAt,
    /** As its source says, or else when it was listed first and changed last. */
    publishedAt: row.published_at ?? row.listed_at,
    updatedAt: row.source_updated_at ?? row.changed_at,
  };
}

/**
 * The version of a server: the second of its last change, as numbers without leading zeros.
 * @example toVersion('2026-11-26T18:15:00.000Z') // '0.20261126.181500'
 */
export function toVersion(at: string): string {
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
