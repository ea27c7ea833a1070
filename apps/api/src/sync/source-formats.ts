import { findTextFault, isWebAddress } from '@agent-registry/contracts';
import { serverStatuses } from '../db/operator-tables.ts';
import { connectServer } from '../prefill/formats.ts';
import { textAt, toObject, valuesAt, type Json } from '../prefill/json-paths.ts';
import type { ServerDocument } from '../servers/server-documents.ts';
import type { Source } from './read-sources.ts';
import { SourceError } from './source-error.ts';

/** An entry of a page, as a stranger wrote it. */
export type SourceItem = {
  /** What the source calls the entry; undefined if that cannot be read. */
  id: string | undefined;
  /** Whether the source says that it no longer has the entry. */
  isRemoved: boolean;
  /** Why it is not taken, whatever its fields are. */
  fault?: string | undefined;
  /** An MCP server, as the source describes it. */
  server?: SourceServer | undefined;
  /** The fields of an agent, unchecked. */
  fields: Json;
};

/** What a source says of an MCP server. */
export type SourceServer = Pick<ServerDocument, 'name' | 'version' | 'status' | 'statusMessage'> & {
  /** Whether the source says that this is the latest version. */
  isLatest: boolean;
  document: Json;
};

/** A page of a source. */
export type SourcePage = {
  items: SourceItem[];
  /** The cursor of the next page; undefined for the last one. */
  next?: string | undefined;
  /** How far the source was read with this page; null where it is read as a whole each time. */
  mark: string | null;
};

/** Where a page is: its cursor, and the mark up to which the source was read by an earlier synchronisation. */
export type PagePlace = { cursor?: string | undefined; since: string | null };

/** How the pages of a kind of sources are asked for and read. */
type SourceFormat = {
  /** The value of `Accept`. */
  accept: string;
  toUrl(source: Source, place: PagePlace): URL;
  /**
   * Reads a page.
   * @param mark how far the source was read before
   * @throws {SourceError} when the text is no such page.
   */
  read(text: string, mark: string | null): SourcePage;
};

/** Most changes of a page of a registry: few enough that agents of the greatest length fit into an answer. */
const CHANGES_PER_PAGE = 200;
/** Most entries of a page that an MCP registry gives. */
const SERVERS_PER_PAGE = 100;
const OFFICIAL = 'io.modelcontextprotocol.registry/official';
/** Longest version of a server, and longest message about its status, in characters. */
const [MAX_VERSION_LENGTH, MAX_MESSAGE_LENGTH] = [255, 500];
/** Longest name of an entry, in UTF-16 code units: longer ones cannot be read. */
const MAX_ID_LENGTH = 500;

/** The kinds of sources. */
export const sourceFormats: Record<Source['kind'], SourceFormat> = {
  /** The change log of a registry of this product, with the agents. */
  'agent-registry': {
    accept: 'application/json',

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
    accept: 'application/json',

    toUrl: (source, { cursor, since }) =>
      toUrl(source, '/v0.1/servers', { limit: SERVERS_PER_PAGE, version: 'latest', updated_since: since, cursor }),

    read(text, mark) {
      const answer = parsePage(text);
      const entries = toEntries(answer, 'servers');
      const times = entries.flatMap((entry) => toTime(toOfficial(entry).updatedAt) ?? []);
      // A time of the future would hide all changes before it.
      const now = new Date().toISOString();
      const past = [...times, mark ?? ''].filter((time) => time <= now);
      return {
        items: entries.map(toServer),
        next: textAt(answer, 'metadata.nextCursor'),
        mark: past.reduce((latest, time) => (time > latest ? time : latest), '') || null,
      };
    },
  },

  /** A file of agents, one a line. */
  ndjson: {
    accept: 'application/x-ndjson, application/jsonl, */*;q=0.5',
    toUrl: ({ address }) => new URL(address),
    read(text) {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      return { items: toItems(lines.map((line) => toObject(parse(line)))), mark: null };
    },
  },
};

/** Names agents by their id, or else by their website; others with the same website also by their names. */
function toItems(agents: readonly Json[]): SourceItem[] {
  const names = new Map<string, string>();
  return agents.map((fields) => {
    const [id, website, name] = [toId(fields.id), toId(fields.website), toId(fields.name) ?? ''];
    if (website !== undefined && !names.has(website)) names.set(website, name);
    const isFirst = website === undefined || names.get(website) === name;
    return { id: id ?? (isFirst ? website : toId(`${website} ${name}`)), isRemoved: false, fields };
  });
}

function toServer(entry: Json): SourceItem {
  const server = toObject(entry.server);
  const { status = 'active', statusMessage, isLatest } = toOfficial(entry);
  const id = toId(server.name);
  const version = toVersion(server.version);
  const known = serverStatuses.find((one) => one === status);
  const repository = textAt(server, 'repository.url');
  const website = server.websiteUrl ?? (repository !== undefined && isWebAddress(repository) ? repository : undefined);
  return {
    id,
    isRemoved: status === 'deleted',
    ...(known === undefined && { fault: 'Its status is unknown' }),
    fields: {
      name: server.title ?? id?.slice(id.lastIndexOf('/') + 1),
      description: server.description,
      website,
      ...(valuesAt(server, 'remotes').length > 0 && { apiAccess: 'yes' }),
      connections: connectServer(server),
    },
    ...(id !== undefined &&
      version !== undefined && {
        server: {
          name: id,
          version,
          status: known ?? 'active',
          ...(isMessage(statusMessage) && { statusMessage }),
          isLatest: isLatest === true,
          document: server,
        },
      }),
  };
}

function toVersion(value: unknown): string | undefined {
  return typeof value === 'string' && isLine(value, MAX_VERSION_LENGTH) ? value : undefined;
}

function isMessage(value: unknown): value is string {
  return typeof value === 'string' && isLine(value, MAX_MESSAGE_LENGTH);
}

function isLine(text: string, max: number): boolean {
  return findTextFault(text, { max, isLine: true }) === undefined;
}

function toOfficial(entry: Json): Json {
  return toObject(toObject(entry._meta)[OFFICIAL]);
}

/** A time of the registry in UTC; undefined if it is none. */
function toTime(value: unknown): string | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/**
 * Parses an answer in JSON.
 * @throws {SourceError} when it is no JSON.
 */
function parsePage(text: string): Json {
  try {
    return toObject(JSON.parse(text));
  } catch (cause) {
    throw new SourceError('its answer is no JSON', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The entries of a page, a list of this name. */
function toEntries(page: Json, name: string): Json[] {
  const entries = page[name];
  if (!Array.isArray(entries)) throw new SourceError(`its answer has no list of ${name}`);
  return entries.map(toObject);
}

/** The address of an endpoint below that of a source. */
function toUrl(source: Source, path: string, parameters: Record<string, string | number | null | undefined>): URL {
  const url = new URL(source.address);
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + path;
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** A value as the name of an entry; undefined if it is none. */
function toId(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH ? value : undefined;
}
