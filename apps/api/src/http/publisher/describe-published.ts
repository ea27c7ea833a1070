import type { PublishedServer, PublicationStore } from '../../publisher/publication-store.ts';
import type { ServerStore } from '../../servers/server-store.ts';
import { toEarlierResponse, toServerResponse } from '../mcp-registry/describe-servers.ts';

type Stores = { servers: ServerStore; publications: PublicationStore };

/** Describes a server as it is listed after a call. */
export async function describePublished({ servers }: Stores, { name }: Pick<PublishedServer, 'name'>): Promise<object> {
  const found = await servers.find(name);
  if (!found) throw new Error(`${name} was published and is not listed.`);
  return toServerResponse(found);
}

/** Describes a server whose publication waits for review, as it was sent. */
export async function describeHeld({ servers, publications }: Stores, name: string, sent: object): Promise<object> {
  const { _meta: _, ...server } = sent as { _meta?: unknown };
  const found = await servers.find(name);
  const meta = found && toServerResponse(found)._meta;
  return { server, _meta: { ...meta, [`${publications.namespace}/state`]: 'held' } };
}

/** Describes versions of a server, also of one that is no longer listed. */
export async function describeVersions(
  { servers, publications }: Stores,
  { publication, versions }: Awaited<ReturnType<PublicationStore['setStatus']>>,
): Promise<object[]> {
  const { name, version: last } = publication;
  const found = await servers.find(name);
  if (!found) {
    const removed = await servers.findRemoved(name);
    const description = 'Waits for review';
    if (!removed)
      return versions.map((version) => ({ server: { name, description, version }, _meta: toHeldMeta(publications) }));
    return [toServerResponse({ ...removed, version: last })];
  }
  const earlier = await servers.earlierOf(found.agentId);
  return versions.map((version) => {
    const given = earlier.find((one) => one.version === version);
    return given ? toEarlierResponse(found, given) : toServerResponse(found);
  });
}

function toHeldMeta({ namespace }: PublicationStore) {
  return { [`${namespace}/state`]: 'held' };
}
