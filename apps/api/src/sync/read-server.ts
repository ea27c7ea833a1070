import { describeServer, findTextFault, toObject, type Json, type LeftPart } from '@agent-registry/contracts';
import { serverStatuses } from '../db/states.ts';
import type { ServerDocument } from '../servers/server-documents.ts';

export type SourceItem = {
  /** What the source calls the entry; undefined if that cannot be read. */
  id: string | undefined;
  isRemoved: boolean;
  /** Why it is not taken, whatever its fields are. */
  fault?: string | undefined;
  server?: SourceServer | undefined;
  /** The fields of an agent, unchecked. */
  fields: Json;
  left?: readonly LeftPart[] | undefined;
};

export type SourceServer = Omit<ServerDocument, 'agentId' | 'document' | 'basis' | 'keptAt'> & {
  /** Whether the source says that this is the latest version. */
  isLatest: boolean;
  document: Json;
};

const OFFICIAL = 'io.modelcontextprotocol.registry/official';
/** Longest version of a server, and longest message about its status, in characters. */
const [MAX_VERSION_LENGTH, MAX_MESSAGE_LENGTH] = [255, 500];
/** Longest name of an entry, in UTF-16 code units: longer ones cannot be read. */
const MAX_ID_LENGTH = 500;

export function toServer(entry: Json): SourceItem {
  // Before September 2025 entries were the servers themselves.
  const server = 'server' in entry ? toObject(entry.server) : entry;
  const { status = server.status ?? 'active', statusMessage, isLatest, ...times } = toOfficial(entry);
  const [publishedAt, updatedAt] = [toTime(times.publishedAt), toTime(times.updatedAt)];
  const id = toId(server.name);
  const version = toLine(server.version ?? toObject(server.version_detail).version, MAX_VERSION_LENGTH);
  const message = toLine(statusMessage, MAX_MESSAGE_LENGTH);
  const known = serverStatuses.find((one) => one === status);
  const { fields, left } = describeServer(server);
  return {
    id,
    isRemoved: status === 'deleted',
    ...(known === undefined && { fault: 'Its status is unknown' }),
    fields,
    left,
    ...(id !== undefined &&
      version !== undefined && {
        server: {
          name: id,
          version,
          status: known ?? 'active',
          ...(message !== undefined && { statusMessage: message }),
          isLatest: isLatest === true,
          ...(publishedAt !== undefined && { publishedAt }),
          ...(updatedAt !== undefined && { updatedAt }),
          document: server,
        },
      }),
  };
}

function toLine(value: unknown, max: number): string | undefined {
  return typeof value === 'string' && findTextFault(value, { max, isLine: true }) === undefined ? value : undefined;
}

/** A time of the past in UTC; undefined if it is none: one of the future would hide all changes before it. */
export function toTime(value: unknown): string | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return time <= Date.now() && time >= 0 ? new Date(time).toISOString() : undefined;
}

export function toOfficial(entry: Json): Json {
  const { is_latest: isLatest, updated_at: updatedAt, ...official } = toObject(toObject(entry._meta)[OFFICIAL]);
  return { isLatest, updatedAt, ...official };
}

export function toId(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH ? value : undefined;
}
