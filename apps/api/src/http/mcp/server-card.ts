import { cutText, toAgentPath, type SiteConfig } from '@agent-registry/contracts';

export const MCP_PATH = '/mcp';
export const SERVER_CARD_PATH = '/mcp/server-card';
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
export const MCP_SERVER_VERSION = '1.0.0';
/** How long clients may keep what never changes, such as the list of tools. */
export const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25'];
export const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
const MAX_DESCRIPTION = 100;

/** The name of the MCP server: that of the host, reversed, such as `example.registry/agents`. */
export function toServerName(origin: string): string {
  const { hostname } = new URL(origin);
  const host = hostname.replaceAll(/[^a-z\d.-]/g, '');
  return `${host.split('.').toReversed().join('.')}/agents`;
}

export function toServerCardPath(id: string): string {
  return `${toAgentPath(id)}/server-card`;
}

export function createServerCard(origin: string, { name, summary }: SiteConfig) {
  return {
    $schema: CARD_SCHEMA,
    name: toServerName(origin),
    title: cutText(name, MAX_DESCRIPTION),
    description: cutText(summary, MAX_DESCRIPTION),
    version: MCP_SERVER_VERSION,
    websiteUrl: `${origin}/`,
    remotes: [{ type: 'streamable-http', url: origin + MCP_PATH, supportedProtocolVersions: PROTOCOL_VERSIONS }],
  };
}
