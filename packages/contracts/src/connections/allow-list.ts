// The MCP servers of an entry as the managed settings of Claude Code and Copilot name them: by exact addresses and commands.
import { withoutTools, type Connection } from './connection.ts';
import type { NamedEntry } from './named-servers.ts';
import { listServers, type McpServer } from './snippets.ts';

/** The path of the managed settings that allow the MCP servers of chosen entries. */
export const MANAGED_SETTINGS_PATH = '/policy/managed-settings.json';

/** A server that clients may use. */
export type AllowedServer = { serverUrl: string } | { serverCommand: string[] };

/** Hexadecimal digits of the hash of connections. */
const HASH_LENGTH = 16;
/** An entry of a list, with the hash of its connections. */
const KEPT = new RegExp(String.raw`^([\da-f-]{36})~([\da-f]{${HASH_LENGTH}})$`);

/** The servers of an entry, each in its forms, and whether these are all. One that has no exact form is left out. */
export function listAllowed(entry: NamedEntry): { servers: AllowedServer[][]; isWhole: boolean } {
  const found = listServers(entry).map(({ server, windows }) => [server, ...(windows ? [windows] : [])].map(toAllowed));
  const servers = found.filter((forms): forms is AllowedServer[] => !forms.includes(undefined));
  const wanted = (entry.connections ?? []).filter(({ kind }) => kind === 'mcp' || kind === 'mcp-package');
  return { servers, isWhole: servers.length === wanted.length };
}

/** Undefined for an address that stands for others, and for a command with a placeholder. */
function toAllowed({ command, args, url }: McpServer): AllowedServer | undefined {
  if (command === undefined) return url.includes('*') ? undefined : { serverUrl: url };
  return args.some((arg) => /\bYOUR_|[$<{]/.test(arg)) ? undefined : { serverCommand: [command, ...args] };
}

/** The first hexadecimal digits of the SHA-256 of connections as JSON by RFC 8785. */
export async function hashConnections(connections: readonly Connection[]): Promise<string> {
  const bytes = new TextEncoder().encode(toCanonicalJson(connections.map(withoutTools)));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, HASH_LENGTH);
}

/** Writes a value as JSON by RFC 8785. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // By UTF-16 code units: an object would have names that are numbers first.
  const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${toCanonicalJson(member)}`).join(',')}}`;
}

/** The path of the managed settings for entries as they were looked at. */
export function toManagedSettingsPath(kept: readonly { id: string; hash: string }[]): string {
  return `${MANAGED_SETTINGS_PATH}?keep=${kept.map(({ id, hash }) => `${id}~${hash}`).join(',')}`;
}

/** Parses the entries of such a path; undefined if one of them is malformed. */
export function parseKept(text: string): { id: string; hash: string }[] | undefined {
  const kept = text.split(',').map((each) => KEPT.exec(each));
  return kept.every((match) => match !== null) ? kept.map(([, id = '', hash = '']) => ({ id, hash })) : undefined;
}
