import { sql, type Kysely } from 'kysely';
import type { Registry } from '../agents/agent-rows.ts';
import { writeWithdrawal } from '../agents/owner-changes.ts';
import { toRecord, writeRecords } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import { RegistryError } from '../registry-error.ts';
import type { ServerDocument } from '../servers/server-documents.ts';
import { findEntry, isErased } from './find-entry.ts';
import { ACTOR, bringBack, touch, type Published, type Publishing } from './publishing.ts';

export type StatusChange = Pick<ServerDocument, 'statusMessage'> & { status: ServerDocument['status'] | 'deleted' };

type StatusCall = {
  name: string;
  /** Undefined for all versions. */
  version: string | undefined;
  given: StatusChange;
  publishing: Publishing;
  now: number;
};

/**
 * Changes the status of a version or of all: a deleted entry is withdrawn, and brought back by another status.
 * @throws {RegistryError} for an unknown version, and if nothing changes
 */
export async function writeStatus(
  registry: Registry,
  transaction: Kysely<Tables>,
  { name, version, given, publishing, now }: StatusCall,
): Promise<Published & { versions: string[] }> {
  const { id, owned, withdrawn, ...entry } = await findPublishedEntry(transaction, name);
  const publication = { ...entry.publication, domain: publishing.domain };
  await writeRecords(transaction, 'publication', [publication]);
  const kept = await readVersions(transaction, id);
  const known = new Set([publication.version, ...kept.map((one) => one.version)]);
  const versions = version === undefined ? [...known] : [version];
  const isPresent = versions.includes(publication.version);
  if (version !== undefined && !(owned ? known.has(version) : isPresent)) throw notFound();
  if (given.status === 'deleted') {
    if (!isPresent) throw new RegistryError('invalid', 'Only the latest version can be deleted; deprecate this one');
    if (!owned) throw unchanged(given);
    await writeWithdrawal(registry, transaction, owned, { now, actor: ACTOR });
    return { publication, versions, isHeld: false };
  }
  const { state } = owned ?? (await bringBack(registry, transaction, { id, publication, withdrawn }));
  const { status } = given;
  // A message would be shown before anybody has looked at it.
  const statusMessage = publishing.review ? undefined : given.statusMessage;
  const isSame = [...kept, ...(publication.pending ? [publication.pending] : [])]
    .filter((one) => versions.includes(one.version))
    .every((one) => one.status === status && one.statusMessage === statusMessage);
  if (owned && isSame) throw unchanged(given);
  const documents = transaction.updateTable('server_documents').where('agent_id', '=', id);
  await documents
    .set({ status, status_message: statusMessage ?? null })
    .where('version', 'in', versions)
    .execute();
  const { pending } = publication;
  if (pending && versions.includes(pending.version)) {
    await writeRecords(transaction, 'publication', [
      { ...publication, pending: { ...pending, status, statusMessage } },
    ]);
  }
  if (state === 'listed') await touch(registry, transaction, id, now);
  return { publication, versions, isHeld: state !== 'listed' };
}

async function findPublishedEntry(transaction: Kysely<Tables>, name: string) {
  const entry = await findEntry(transaction, name);
  const takenDown = (how: string) =>
    new RegistryError('forbidden', `The operator of this registry has ${how} this entry`);
  if (!entry && (await isErased(transaction, name))) throw takenDown('erased');
  if (!entry?.publication) throw notFound();
  if (entry.owned?.state === 'refused') throw takenDown('refused');
  return { ...entry, publication: entry.publication };
}

function notFound(): RegistryError {
  return new RegistryError('not-found', 'Server not found');
}

function unchanged({ status }: StatusChange): RegistryError {
  return new RegistryError('invalid', `No changes to apply: status is already ${status}`);
}

async function readVersions(transaction: Kysely<Tables>, id: string): Promise<ServerDocument[]> {
  const rows = await transaction
    .selectFrom('server_documents')
    .selectAll()
    .where('agent_id', '=', id)
    .orderBy('is_latest', 'desc')
    .orderBy('kept_at', 'desc')
    .orderBy(sql`version`)
    .execute();
  return rows.map((row) => toRecord('server-document', row));
}
