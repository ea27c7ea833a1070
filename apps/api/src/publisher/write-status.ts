import { writeWithdrawal } from '../agents/owner-changes.ts';
import { readRecordsOf, writeRecords } from '../db/records.ts';
import { RegistryError } from '../registry-error.ts';
import type { ServerDocument } from '../servers/server-documents.ts';
import { ACTOR, bringBack, findEntry, isErased, takenDown, touch, type Writing } from './find-entry.ts';

export type StatusChange = Pick<ServerDocument, 'statusMessage'> & {
  status: ServerDocument['status'] | 'deleted';
  /** Undefined for all versions. */
  version: string | undefined;
};

/**
 * Changes the status of a version or of all: a deleted entry is withdrawn, and brought back by another status. Returns the
 * present version.
 * @throws {RegistryError} for an unknown version, and if nothing changes
 */
export async function writeStatus(
  writing: Writing,
  name: string,
  { version, status, statusMessage: message }: StatusChange,
): Promise<string> {
  const { registry, transaction, publishing, now } = writing;
  const { owned, ...entry } = await findPublishedEntry(writing, name);
  const { pending, ...publication } = entry.publication;
  const { id } = entry.stored.agent;
  const kept = await readRecordsOf(transaction, 'server-document', [id]);
  const isPresent = version === undefined || version === publication.version;
  if (!isPresent && !(owned && kept.some((one) => one.version === version))) throw notFound();
  const unchanged = new RegistryError('invalid', `No changes to apply: status is already ${status}`);
  if (status === 'deleted') {
    if (!isPresent) throw new RegistryError('invalid', 'Only the latest version can be deleted; deprecate this one');
    if (!owned) throw unchanged;
    await writeRecords(transaction, 'publication', [entry.publication]);
    await writeWithdrawal(registry, transaction, owned, { now, actor: ACTOR });
    return publication.version;
  }
  if (!owned) await bringBack(writing, { ...entry, owned });
  // A message would be shown before anybody has looked at it.
  const next = { status, statusMessage: publishing.review ? undefined : message };
  const isMeant = (one: { version: string }) => version === undefined || one.version === version;
  const [documents, waiting] = [kept.filter(isMeant), pending && isMeant(pending) ? pending : undefined];
  const isSame = [...documents, ...(waiting ? [waiting] : [])].every(
    (one) => one.status === next.status && one.statusMessage === next.statusMessage,
  );
  if (owned && isSame) throw unchanged;
  await writeRecords(
    transaction,
    'server-document',
    documents.map((document) => ({ ...document, ...next })),
  );
  const described = waiting ? { ...waiting, ...next } : pending;
  await writeRecords(transaction, 'publication', [{ ...publication, pending: described }]);
  if (owned) await touch(writing, id);
  return publication.version;
}

async function findPublishedEntry({ transaction, publishing: { publisher } }: Writing, name: string) {
  const entry = await findEntry(transaction, name);
  if (!entry && (await isErased(transaction, name))) throw takenDown('erased');
  if (!entry?.publication) throw notFound();
  if (entry.owned?.state === 'refused') throw takenDown('refused');
  return { ...entry, publication: { ...entry.publication, domain: publisher.domain } };
}

function notFound(): RegistryError {
  return new RegistryError('not-found', 'Server not found');
}
