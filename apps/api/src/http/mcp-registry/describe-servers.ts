import { cutText, SERVER_JSON_SCHEMA, type SiteConfig } from '@agent-registry/contracts';
import type { ServerDocument } from '../../servers/server-documents.ts';
import type { NamedServer, RemovedServer } from '../../servers/server-store.ts';
import { createServerCard, MCP_PATH, MCP_SERVER_VERSION, toServerName } from '../mcp/server-card.ts';

/** How long a server stands in for one that the database does not give, in milliseconds. */
const LIFETIME = 3_600_000;
/** The most characters of all servers together. */
const MAX_SIZE = 16_777_216;

const OFFICIAL = 'io.modelcontextprotocol.registry/official';
/** When the registry's own server got its version. */
const OWN_SERVER_AT = '2026-11-26T00:00:00Z';

/**
 * Describes a server as an entry of the list.
 * @param version an earlier version, under which the present one is given
 */
export function toServerResponse(server: NamedServer | RemovedServer, version = server.version) {
  const updatedAt = toSeconds(server.changedAt);
  if (!('server' in server)) {
    return {
      server: { $schema: SERVER_JSON_SCHEMA, name: server.name, description: 'Removed', version },
      _meta: { [OFFICIAL]: { status: 'deleted', statusChangedAt: updatedAt, updatedAt, isLatest: true } },
    };
  }
  const { status, statusMessage, listedAt } = server;
  const isLatest = version === server.version;
  return {
    server: isLatest ? server.server : { ...server.server, version },
    _meta: {
      [OFFICIAL]: {
        status,
        ...(statusMessage !== undefined && { statusMessage }),
        publishedAt: toSeconds(listedAt),
        updatedAt,
        isLatest,
      },
    },
  };
}

/** Describes an earlier version of a server that its source gave: as it was given, or else as the present one. */
export function toEarlierResponse(server: NamedServer, { version, document, status, statusMessage }: ServerDocument) {
  const given = server.isVerbatim && document !== null ? { server: JSON.parse(document) as object } : {};
  return { ...toServerResponse({ ...server, status, statusMessage }, version), ...given };
}

/** The registry's own MCP server as an entry of the list. */
export function toOwnServer({ publicUrl, siteConfig }: { publicUrl: string; siteConfig: SiteConfig }) {
  const { title, description, websiteUrl } = createServerCard(publicUrl, siteConfig);
  return {
    server: {
      $schema: SERVER_JSON_SCHEMA,
      name: toServerName(publicUrl),
      title,
      description: cutText(description, 100, 100),
      version: MCP_SERVER_VERSION,
      websiteUrl,
      remotes: [{ type: 'streamable-http', url: publicUrl + MCP_PATH }],
    },
    _meta: {
      [OFFICIAL]: { status: 'active', publishedAt: OWN_SERVER_AT, updatedAt: OWN_SERVER_AT, isLatest: true },
    },
  };
}

function toSeconds(at: string): string {
  return at.replace(/\.\d+Z$/, 'Z');
}

/** The servers of the last look-ups, for outages of the database: clients take an error for a server that is gone. */
export function createLastKnown() {
  const known = new Map<string, { server: NamedServer; at: number; size: number }>();
  let size = 0;

  function forget(name: string): void {
    size -= known.get(name)?.size ?? 0;
    known.delete(name);
  }

  return {
    /** Keeps a server in place of an older one; the oldest ones go. */
    keep(name: string, server: NamedServer): void {
      forget(name);
      const length = JSON.stringify(server).length;
      known.set(name, { server, at: performance.now(), size: length });
      size += length;
      for (const [oldest] of known) {
        if (size <= MAX_SIZE) break;
        forget(oldest);
      }
    },
    /** Forgets a server that is not listed any more. */
    forget,
    /** The server, unless its look-up is older than an hour. */
    find(name: string): NamedServer | undefined {
      const entry = known.get(name);
      return entry && performance.now() - entry.at < LIFETIME ? entry.server : undefined;
    },
  };
}
