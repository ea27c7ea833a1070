import { hash } from 'node:crypto';
import { findAddressFault, serverJsonSchema, type NewAgent } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import type { FieldsOf } from '../db/record-kinds.ts';
import { toRecord, writeRecords, chunksOf } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import { textsAt, toObject, valuesAt, type Json } from '../prefill/json-paths.ts';

/** A version of a server as its source describes it. */
export type ServerDocument = FieldsOf<'server-document'>;

/** Largest description of a server that is kept, in bytes of its JSON. */
const MAX_BYTES = 32_768;
/** Deepest description that is kept, in objects and lists inside of each other. */
const MAX_DEPTH = 32;
/** Most versions of a server that are kept. */
const MAX_VERSIONS = 20;

// Control characters, and marks that change the direction of what follows.
const HIDDEN = /[\p{Cc}\p{Surrogate}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const SHELL_SIGNS = /[;|&$<>`]/;
const PART = String.raw`(?:[\w.~!&()*+,;=:@/?-]|%[\dA-Fa-f]{2})*`;
const ADDRESS = new RegExp(String.raw`^https://([\w.-]+)(?::\d+)?(?:[/?]${PART})?(?:#${PART})?$`);
const PAGES = ['$schema', 'websiteUrl', 'repository.url', 'icons.src', 'packages.registryBaseUrl'];
const ENDPOINTS = ['remotes.url', 'packages.transport.url'];
const ARGUMENTS = ['packages.runtimeArguments', 'packages.packageArguments'];

export type BasisOf = Pick<NewAgent, 'name' | 'description' | 'website' | 'connections'>;

/** What an agent was read as: its description by the source counts as long as this is the same. */
export function toBasis({ name, description, website, connections = [] }: BasisOf): string {
  return hash('sha256', JSON.stringify([name, description, website, connections]), 'base64url');
}

/** Why the description of a server by a stranger is not served as it is, as the end of a sentence; undefined if it is. */
export function findDocumentFault(server: Json): string | undefined {
  const texts = collectTexts(server);
  if (!texts || Buffer.byteLength(JSON.stringify(server)) > MAX_BYTES) return 'is too large or too deep';
  if (!serverJsonSchema.safeParse(server).success) return 'breaks the schema of server.json';
  if (texts.some((text) => text.includes('${'))) return 'has ${, which clients expand';
  if (texts.some((text) => HIDDEN.test(text))) return 'has control characters or marks of direction';
  const args = ARGUMENTS.flatMap((path) => valuesAt(server, path));
  const inputs = args.flatMap((each) => [each, ...Object.values(toObject(toObject(each).variables))]);
  if (textsAt(inputs, 'name', 'value', 'default', 'choices').some((text) => SHELL_SIGNS.test(text))) {
    return 'has arguments with signs of a shell';
  }
  const pages = [
    ...textsAt(server, ...PAGES),
    ...textsAt(server, 'packages.identifier').filter((id) => /:\//.test(id)),
  ];
  const areAddresses = pages.every(isAddress) && textsAt(server, ...ENDPOINTS).every(isEndpoint);
  return areAddresses ? undefined : 'has an address that is not https, not public or of no fixed host';
}

/** The arguments that the description of a server gives its packages. */
export function listArguments(server: unknown) {
  return valuesAt(server, 'packages').flatMap((found) => {
    const args = ['runtimeArguments', 'packageArguments'].flatMap((name) => valuesAt(found, name)).map(toText);
    return args.length > 0 ? [{ identifier: textsAt(found, 'identifier').join(), arguments: args }] : [];
  });
}

/** An argument as it is written: its name, then its value or what stands for it. */
function toText(argument: unknown): string {
  const [value] = [
    ...textsAt(argument, 'value', 'default'),
    ...textsAt(argument, 'valueHint').map((hint) => `<${hint}>`),
  ];
  return [...textsAt(argument, 'name'), ...(value === undefined ? [] : [value])].join(' ');
}

/** The texts of a value and the names in it; undefined if they are too long together, or nested too deep. */
export function collectTexts(value: unknown): string[] | undefined {
  const texts: string[] = [];
  let size = 0;
  const rest: [unknown, number][] = [[value, 0]];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [found, depth] = next;
    size += typeof found === 'string' ? found.length : 1;
    if (depth > MAX_DEPTH || size > MAX_BYTES) return undefined;
    if (typeof found === 'string') texts.push(found);
    else if (typeof found === 'object' && found !== null) {
      const inner = Array.isArray(found) ? (found as unknown[]) : Object.entries(found).flat();
      if (inner.length > MAX_BYTES) return undefined;
      for (const each of inner) rest.push([each, depth + 1]);
    }
  }
  return texts;
}

function isAddress(text: string): boolean {
  const host = ADDRESS.exec(text)?.[1];
  return host !== undefined && URL.canParse(text) && findAddressFault(`https://${host}/`) === undefined;
}

/** Whether a text is an address, or a template of addresses of one host. */
function isEndpoint(text: string): boolean {
  return /^https:\/\/[^/?{}]+(?:[/?]|$)/.test(text) && isAddress(text.replaceAll(/\{[\w.-]+\}/g, 'x'));
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
