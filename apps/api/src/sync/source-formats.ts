import { textAt, toObject, type Json } from '@agent-registry/contracts';
import { toId, toOfficial, toServer, toTime, type SourceItem } from './read-server.ts';
import { type Source, SourceError } from './read-sources.ts';

type SourcePage = {
  items: SourceItem[];
  next?: string | undefined;
  /** How far the source was read with this page; null where it says no time. */
  mark: string | null;
};

/** Where a page is: its cursor, and the mark up to which the source was read by an earlier synchronisation. */
export type PagePlace = { cursor?: string | undefined; since: string | null };

type SourceFormat = {
  toUrl(source: Source, place: PagePlace): URL;
  /** @param mark how far the source was read before */
  read(text: string, mark: string | null): SourcePage;
};

/** Most changes of a page of a registry: few enough that agents of the greatest length fit into an answer. */
const CHANGES_PER_PAGE = 200;
/** Most entries of a page that an MCP registry gives. */
const SERVERS_PER_PAGE = 100;

export const sourceFormats: Record<Source['kind'], SourceFormat> = {
  /** The change log of a registry of this product, with the agents. */
  'agent-registry': {
    toUrl: (source, { cursor, since }) =>
      toUrl(source, '/api/changes', { include: 'agents', limit: CHANGES_PER_PAGE, after: cursor ?? since }),

    read(text) {
      const answer = parsePage(text);
      const next = textAt(answer, 'next');
      const items = toEntries(answer, 'changes').map(({ id, change, agent }) => ({
        id: toId(id),
        // Without the agent it was removed after the change.
        isRemoved: change === 'removed' || agent === undefined || agent === null,
        fields: toObject(agent),
      }));
      if (next === undefined) throw new SourceError('its answer has no cursor');
      return { items, ...(answer.hasMore === true && { next }), mark: next };
    },
  },

  /** The MCP registry API, version 0.1: the latest version of each server. */
  'mcp-registry': {
    toUrl: (source, { cursor, since }) =>
      toUrl(source, '/v0.1/servers', { limit: SERVERS_PER_PAGE, version: 'latest', updated_since: since, cursor }),

    read(text, mark) {
      const answer = parsePage(text);
      const entries = toEntries(answer, 'servers');
      const past = [...entries.flatMap((entry) => toTime(toOfficial(entry).updatedAt) ?? []), mark ?? ''];
      return {
        items: entries.map(toServer),
        next: textAt(answer, 'metadata.nextCursor', 'metadata.next_cursor'),
        mark: past.reduce((latest, time) => (time > latest ? time : latest), '') || null,
      };
    },
  },
};

function parsePage(text: string): Json {
  try {
    return toObject(JSON.parse(text));
  } catch (cause) {
    throw new SourceError('its answer is no JSON', { cause });
  }
}

function toEntries(page: Json, name: string): Json[] {
  const entries = page[name];
  if (!Array.isArray(entries)) throw new SourceError(`its answer has no list of ${name}`);
  return entries.map(toObject);
}

function toUrl(source: Source, path: string, parameters: Record<string, string | number | null | undefined>): URL {
  const url = new URL(source.address);
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + path;
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}
