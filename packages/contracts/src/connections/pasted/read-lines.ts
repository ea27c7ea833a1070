// Lines of a pasted text: a kind with its address or package, an address alone, and what a connection asks for.
import type { Connection, ConnectionInput } from '../connection.ts';
import { ASKS_FOR, writeConnection, writeInput } from '../connection-text.ts';
import { packageRegistries, type PackageRegistry } from '../kinds.ts';
import { isAddress, isBareAddress, maskPackage, maskUrl, nameOfAssignment } from './mask.ts';
import { readPackagePage, splitReference } from './package-references.ts';
import { toMcpRemote, type GivenConnection } from './read-command.ts';

/** A connection that is not validated, the number of its line, and of an address the place of its line. */
export type Candidate = {
  connection: GivenConnection;
  inputs: ConnectionInput[];
  line: number;
  address?: { start: number; end: number } | undefined;
};
/** What has been read of a text. */
export type Reading = {
  /** The text as it may be shown. */
  lines: string[];
  candidates: Candidate[];
  faults: { line: number; fault: string }[];
  notes: string[];
  /** Inputs above the connection that asks for them. */
  pending: ConnectionInput[];
  names: Set<string>;
  /** Whether a quote is open until the end: then each line ends its command. */
  isOpen: boolean;
};

/** Adds a connection with what was said above it, by default in a line of its own. */
export function add(
  given: GivenConnection,
  inputs: readonly ConnectionInput[],
  reading: Reading,
  { text, start }: { text?: string; start?: number } = {},
): void {
  const members = Object.entries(given).filter(([, value]) => value !== undefined);
  const masked = members.map(([name, value]) => [name, maskMember(name, String(value))]);
  const connection = Object.fromEntries(masked) as GivenConnection;
  const line = text ?? writeConnection(connection as unknown as Connection);
  const all = [...reading.pending, ...inputs.map(toLine)];
  const address = start === undefined ? undefined : { start, end: start + line.length };
  reading.candidates.push({ connection, inputs: all, line: reading.lines.length + 1, address });
  reading.lines.push(line, ...all.map(writeInput));
  reading.pending = [];
}

function toLine(input: ConnectionInput): ConnectionInput {
  return { ...input, description: input.description.replaceAll(/\s+/g, ' ').trim() };
}

function maskMember(name: string, value: string): string {
  if (name !== 'url' && name !== 'card') return maskPackage(value);
  return isBareAddress(value) ? value : maskUrl(value);
}

/** A line of a header or variable: `- NAME asks for …`, `Name: value`, `NAME=value`. */
export function isInputLine(line: string): boolean {
  if (/^-\s?[A-Za-z_]/.test(line)) return true;
  if (/^[A-Za-z][\w-]{0,63}:(?!\/\/)\s*\S/.test(line)) return !isAddress(line);
  return (
    nameOfAssignment(line.replace(/^(?:export|set)\s+/i, '')) !== undefined &&
    !/\s(?:npx|uvx|docker|podman|dnx|bunx|uv|pipx)\s|&&|;/.test(line)
  );
}

/** Reads such a line. Only what follows "asks for" describes an input: other text may be its value. */
export function readInputLine(line: string, reading: Reading): void {
  const [head = '', ...described] = line.split(ASKS_FOR);
  const isDescribed = /^-\s?[A-Za-z_][\w-]*(?: ?\([a-z, ]{0,40}\))?$/i.test(head.trim());
  const bare = line.replace(/^(?:-\s*|(?:export|set)\s+)/i, '');
  const [, name = '', marks = ''] = /^([\w-]*)(?: ?\(([a-z, ]{0,40})\))?/i.exec(bare) ?? [];
  const description = (isDescribed && described.join(ASKS_FOR).trim()) || name;
  const input = { name, description, required: !/optional/i.test(marks), secret: !/public/i.test(marks) };
  if (!isDescribed) reading.names.add(name);
  const current = reading.candidates.at(-1);
  (current?.inputs ?? reading.pending).push(input);
  if (current) reading.lines.push(writeInput(input));
}

/** A line that begins with a kind, or is an address alone. */
export function isConnectionLine(line: string): boolean {
  const [first = '', second = '', ...more] = line.split(/\s+/, 3);
  const kind = first.toLowerCase();
  if (kind === 'npm' && /^(?:exec|x|install|i|add)$/.test(second)) return false;
  if (/^(?:mcp|a2a|skill|openapi)$/.test(kind) || isRegistry(kind)) return second !== '';
  return second === '' && more.length === 0 && (isAddress(first) || isBareAddress(first));
}

function isRegistry(word: string): word is PackageRegistry {
  return packageRegistries.some((registry) => registry === word);
}

export function readConnectionLine(line: string, start: number, reading: Reading): void {
  const [first = '', ...words] = line.split(/\s+/);
  if (words.length === 0) return readAddress(line, start, reading);
  const kind = first.toLowerCase();
  if (isRegistry(kind)) return add(parsePackage(kind, words), [], reading);
  const url = words.at(-1) ?? '';
  const [mark] = words.length > 1 ? words : [];
  const connections: Record<string, GivenConnection> = {
    mcp: toMcpRemote(url, mark ?? 'http'),
    a2a: { kind, card: url },
    skill: { kind, url, format: mark ?? formatOf(URL.parse(url)?.pathname ?? url) ?? 'md' },
    openapi: { kind, url },
  };
  add(connections[kind] as GivenConnection, [], reading, { start });
}

function parsePackage(registry: PackageRegistry, [name = '', ...others]: readonly string[]): GivenConnection {
  const sha256 = others.find((word) => /^[a-f\d]{64}$/i.test(word));
  const separate = others.find((word) => word !== sha256);
  const { identifier, version } = registry === 'oci' ? { identifier: name } : splitReference(registry, name);
  return { kind: 'mcp-package', registry, identifier, version: separate ?? version, sha256 };
}

/** Reads an address alone. What does not end as a package, a card, a skill or a description is a remote server. */
function readAddress(line: string, start: number, reading: Reading): void {
  const address = isAddress(line) ? line : `https://${line}`;
  const page = readPackagePage(address);
  if (page) return add({ kind: 'mcp-package', ...page }, [], reading);
  if (/\.mcpb$/i.test(line)) return add(parsePackage('mcpb', [address]), [], reading);
  add(guess(address), [], reading, { text: maskMember('url', line), start });
}

function guess(url: string): GivenConnection {
  const path = URL.parse(url)?.pathname ?? '';
  if (/agent(?:-card)?\.json$/.test(path)) return { kind: 'a2a', card: url };
  const format = formatOf(path);
  if (format !== undefined) return { kind: 'skill', url, format };
  const file = path.split('/').at(-1)?.toLowerCase() ?? '';
  const isDescription = /openapi|swagger/.test(file) && /\.(?:json|ya?ml)$/.test(file);
  return isDescription ? { kind: 'openapi', url } : toMcpRemote(url);
}

/** The format of a skill, by the end of its path. */
function formatOf(path: string): string | undefined {
  const [, ending = ''] = /\.(md|zip|skill|t?gz)$/i.exec(path) ?? [];
  const formats: Record<string, string> = { md: 'md', zip: 'zip', skill: 'zip', gz: 'gzip', tgz: 'gzip' };
  return formats[ending.toLowerCase()];
}
