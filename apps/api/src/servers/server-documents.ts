import { hash } from 'node:crypto';
import {
  findAddressFault,
  findTextsFault,
  isWebAddress,
  readServerJson,
  textsAt,
  withoutTools,
  type Json,
  type LeftPart,
  type NewAgent,
} from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import type { FieldsOf } from '../db/record-kinds.ts';
import { toRecord, writeRecords, chunksOf } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';

/** A version of a server as its source describes it. */
export type ServerDocument = FieldsOf<'server-document'>;

/** Largest description of a server that is kept, in bytes of its JSON. */
const MAX_BYTES = 32_768;
/** Most versions of a server that are kept. */
const MAX_VERSIONS = 20;

/** Names of before September 2025, which editors do not read. */
const FORMER = /"(?:registry_(?:type|name)|transport_type|version_detail)":/;
/** The members of a description, and of those with addresses their paths. */
const MEMBERS =
  '$schema name title description status version websiteUrl repository icons remotes packages _meta'.split(' ');
const ADDRESSES = new Map(
  ['$schema', 'websiteUrl', 'repository.url', 'icons.src'].map((path) => [path.replace(/\..*/, ''), path]),
);

export type BasisOf = Pick<NewAgent, 'name' | 'description' | 'website' | 'connections'>;

/** What an agent was read as: its description by the source counts as long as this is the same. */
export function toBasis({ name, description, website, connections = [] }: BasisOf): string {
  return hash('sha256', JSON.stringify([name, description, website, connections.map(withoutTools)]), 'base64url');
}

/** The description of a server by its source without what is not taken of it, or why another one is given. */
export function readDocument(server: Json): { document?: Json; left: LeftPart[]; fault?: string } {
  const fault = findDocumentFault(server);
  if (fault !== undefined) return { left: [], fault };
  const { connections, left: parts } = readServerJson(server);
  if (connections.length === 0) return { left: [], fault: 'has no connection that can be kept' };
  const left = parts.filter(({ isCut }) => !isCut);
  for (const [name, value] of Object.entries(server)) {
    const reason = findMemberFault(server, name, value);
    if (reason !== undefined) left.push({ path: [name], why: `it ${reason}` });
  }
  return { document: withoutParts(server, [], left) as Json, left };
}

function findDocumentFault(server: Json): string | undefined {
  const { name, description, version, title = 'x' } = server;
  const isValid =
    /^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(String(name)) &&
    [description, title].every((text) => typeof text === 'string' && text !== '' && Array.from(text).length <= 100) &&
    typeof version === 'string';
  if (sizeOf(server) > MAX_BYTES) return 'is too large or too deep';
  if (!isValid || FORMER.test(JSON.stringify(server))) return 'breaks the schema of server.json';
  return findTextsFault([description, title, version]);
}

function sizeOf(server: Json): number {
  try {
    return Buffer.byteLength(JSON.stringify(server));
  } catch {
    // Nested deeper than the stack.
    return Infinity;
  }
}

function findMemberFault(server: Json, name: string, value: unknown): string | undefined {
  if (!MEMBERS.includes(name)) return 'is not known here';
  if (name === 'remotes' || name === 'packages') return Array.isArray(value) ? undefined : 'is no list';
  const areGood = textsAt(server, ADDRESSES.get(name) ?? '').every(isPublic);
  return areGood ? findTextsFault(value) : 'has an address that is not https or not public';
}

function isPublic(address: string): boolean {
  const url = isWebAddress(address) ? new URL(address) : undefined;
  return url?.protocol === 'https:' && findAddressFault(`https://${url.hostname}/`) === undefined;
}

/** A value without the parts at paths; what stays is as it was. */
function withoutParts(value: unknown, path: LeftPart['path'], left: readonly LeftPart[]): unknown {
  const below = left.filter((part) => path.every((key, index) => part.path[index] === key));
  const isKept = (key: string | number) =>
    !below.some((part) => part.path.length === path.length + 1 && part.path.at(-1) === key);
  if (below.length === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.flatMap((each, index) => (isKept(index) ? [withoutParts(each, [...path, index], below)] : []));
  const entries = Object.entries(value).filter(([key]) => isKept(key));
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutParts(each, [...path, key], below)]));
}

/** Writes the present versions of servers, as part of a transaction, and forgets the oldest ones beyond a number. */
export async function writeDocuments(transaction: Kysely<Tables>, documents: readonly ServerDocument[]): Promise<void> {
  for (const chunk of chunksOf(documents)) {
    const ids = chunk.map(({ agentId }) => agentId);
    await transaction.updateTable('server_documents').set({ is_latest: 0 }).where('agent_id', 'in', ids).execute();
    await writeRecords(transaction, 'server-document', chunk);
    await sql`
      DELETE FROM server_documents WHERE (agent_id, version) IN (
        SELECT agent_id, version FROM (
          SELECT agent_id, version,
            row_number() OVER (PARTITION BY agent_id ORDER BY is_latest DESC, kept_at DESC, version) AS place
          FROM server_documents WHERE agent_id IN (${sql.join(ids)})
        ) AS ranked WHERE place > ${sql.lit(MAX_VERSIONS)}
      )
    `.execute(transaction);
  }
}

/** Reads the present versions of servers by the ids of their agents. */
export async function readDocuments(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, ServerDocument>> {
  const found = new Map<string, ServerDocument>();
  for (const chunk of chunksOf(ids)) {
    const rows = await db
      .selectFrom('server_documents')
      .selectAll()
      .where('agent_id', 'in', chunk)
      .where('is_latest', '=', 1)
      .execute();
    for (const row of rows) found.set(row.agent_id, toDocument(row));
  }
  return found;
}

export function toDocument(row: object): ServerDocument {
  return toRecord('server-document', row);
}
