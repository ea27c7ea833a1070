import { cutText, SERVER_JSON_SCHEMA, type Json, type SiteConfig } from '@agent-registry/contracts';
import { readDocument, type ServerDocument } from '../../servers/server-documents.ts';
import type { NamedServer } from '../../servers/served-agents.ts';
import type { RemovedServer } from '../../servers/server-store.ts';
import { createServerCard, MCP_PATH, MCP_SERVER_VERSION, toServerName } from '../mcp/server-card.ts';

const OFFICIAL = 'io.modelcontextprotocol.registry/official';
/** When the registry's own server got its version. */
export const OWN_SERVER_AT = '2026-11-26T00:00:00Z';

/** @param version an earlier version, under which the present one is given */
export function toServerResponse(server: NamedServer | RemovedServer, version = server.version) {
  const updatedAt = toSeconds(server.updatedAt);
  if (!('server' in server)) {
    return {
      server: { $schema: SERVER_JSON_SCHEMA, name: server.name, description: 'Removed', version },
      _meta: { [OFFICIAL]: { status: 'deleted', statusChangedAt: updatedAt, updatedAt, isLatest: true } },
    };
  }
  const { status, statusMessage, publishedAt } = server;
  const isLatest = version === server.version;
  return {
    server: isLatest ? server.server : { ...server.server, version },
    _meta: {
      [OFFICIAL]: {
        status,
        ...(statusMessage !== undefined && { statusMessage }),
        publishedAt: toSeconds(publishedAt),
        updatedAt,
        isLatest,
      },
      ...server.facts,
    },
  };
}

/** Describes an earlier version of a server that its source gave: as it was given, or else as the present one. */
export function toEarlierResponse(server: NamedServer, { version, document, ...given }: ServerDocument) {
  const { status, statusMessage, publishedAt = server.publishedAt, updatedAt = server.updatedAt } = given;
  const earlier = { ...server, status, statusMessage, publishedAt, updatedAt };
  const described =
    server.isVerbatim && document !== null ? readDocument(JSON.parse(document) as Json).document : undefined;
  return { ...toServerResponse(earlier, version), ...(described && { server: described }) };
}

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
