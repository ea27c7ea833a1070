import { toList, toText, type Description, type Json } from './description.ts';

/** Reads an MCP `server.json` or server card; undefined if it is neither. */
export function readMcp(server: Json, source: string): Description | undefined {
  const isServer =
    toText(server.$schema)?.includes('modelcontextprotocol') === true ||
    (/^[\w.-]+\/[\w.-]+$/.test(toText(server.name) ?? '') && ('remotes' in server || 'packages' in server));
  if (!isServer) return undefined;
  return {
    kind: 'mcp',
    source,
    name: toText(server.title),
    description: toText(server.description),
    website: toText(server.websiteUrl),
    hasApi: toList(server.remotes).length > 0,
  };
}
