import { isWebAddress } from '@agent-registry/contracts';
import { toList, toObject, toText, type Json } from '../prefill/description.ts';
import { parsePage, toEndpoint } from './parse-page.ts';
import { SourceError } from './source-error.ts';
import { toId, type SourceFormat, type SourceItem } from './source-page.ts';

/** Most entries of a page that the registry gives. */
const PAGE_SIZE = 100;
const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** The MCP registry API, version 0.1: the latest version of each server. */
export const mcpRegistry: SourceFormat = {
  accept: 'application/json',

  toUrl(source, { cursor, since }) {
    const url = toEndpoint(source, '/v0.1/servers');
    url.searchParams.set('limit', String(PAGE_SIZE));
    url.searchParams.set('version', 'latest');
    if (since !== null) url.searchParams.set('updated_since', since);
    if (cursor !== undefined) url.searchParams.set('cursor', cursor);
    return url;
  },

  read(text, mark) {
    const { servers, metadata } = parsePage(text);
    if (!Array.isArray(servers)) throw new SourceError('its answer has no list of servers');
    const times = servers.flatMap((entry) => toTime(toOfficial(toObject(entry)).updatedAt) ?? []);
    // A time of the future would hide all changes before it.
    const now = new Date().toISOString();
    const past = [...times, mark ?? ''].filter((time) => time <= now);
    return {
      items: servers.map((entry) => toItem(toObject(entry))),
      next: toText(toObject(metadata).nextCursor),
      mark: past.reduce((latest, time) => (time > latest ? time : latest), '') || null,
    };
  },
};

function toItem(entry: Json): SourceItem {
  const server = toObject(entry.server);
  const id = toId(server.name);
  const repository = toText(toObject(server.repository).url);
  const website = server.websiteUrl ?? (repository !== undefined && isWebAddress(repository) ? repository : undefined);
  return {
    id,
    isRemoved: toOfficial(entry).status === 'deleted',
    fields: {
      name: server.title ?? id?.slice(id.lastIndexOf('/') + 1),
      description: server.description,
      website,
      ...(toList(server.remotes).length > 0 && { apiAccess: 'yes' }),
    },
  };
}

function toOfficial(entry: Json): Json {
  return toObject(toObject(entry._meta)[OFFICIAL]);
}

/** A time of the registry in UTC; undefined if it is none. */
function toTime(value: unknown): string | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
