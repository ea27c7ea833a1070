// Lines of a pasted text: a kind with its address or package, an address alone, and what a connection asks for.
import { connectionKinds, packageRegistries, type Connection, type ConnectionInput } from '../connection.ts';
import { parseInput, parseLine, toMcpRemote, writeConnection, writeInput } from '../connection-text.ts';
import { isAddress, isBareAddress, maskPackage, maskUrl, nameOfAssignment, nameOfHeader } from './mask.ts';
import { readPackagePage } from './package-references.ts';
import { toInput } from './read-command.ts';

/** A connection that is not validated, the number of its line, and of an address the place of its line. */
export type Candidate = {
  connection: Record<string, unknown> & { kind: string };
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
  given: Candidate['connection'],
  inputs: readonly ConnectionInput[],
  reading: Reading,
  { text, start }: { text?: string | undefined; start?: number } = {},
): void {
  const masked = Object.entries(given).map(([name, value]) => [name, maskMember(name, String(value))]);
  const connection = Object.fromEntries(masked) as Candidate['connection'];
  const line = text ?? writeConnection(connection as unknown as Connection);
  const all = [...reading.pending, ...inputs];
  const address = start === undefined ? undefined : { start, end: start + line.length };
  reading.candidates.push({ connection, inputs: all, line: reading.lines.length + 1, address });
  reading.lines.push(line, ...all.map(writeInput));
  reading.pending = [];
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

export function readInputLine(line: string, reading: Reading): void {
  const [head = ''] = line.split(' asks for ', 1);
  const isDescribed = /^-\s?[A-Za-z_][\w-]*(?: ?\([a-z, ]{0,40}\))?$/i.test(head.trim());
  const bare = line.replace(/^(?:-\s*|(?:export|set)\s+)/i, '');
  const marked = /^-\s?[\w-]+ ?\([a-z, ]{0,40}\)/i.exec(line)?.[0];
  const input =
    isDescribed || marked !== undefined
      ? parseInput(isDescribed ? line : (marked ?? ''))
      : toInput(nameOfAssignment(bare) ?? nameOfHeader(bare) ?? /^[\w-]*/.exec(bare)?.[0] ?? '');
  if (!isDescribed) reading.names.add(input.name);
  const current = reading.candidates.at(-1);
  (current?.inputs ?? reading.pending).push(input);
  if (current) reading.lines.push(writeInput(input));
}

/** A line that begins with a kind, or is an address alone. */
export function isConnectionLine(line: string): boolean {
  const [first = '', second = '', ...more] = line.split(/\s+/, 3);
  const kind = first.toLowerCase();
  if (kind === 'npm' && /^(?:exec|x|install|i|add)$/.test(second)) return false;
  if (/^(?:mcp|a2a|skill|openapi)$/.test(kind) || packageRegistries.some((registry) => registry === kind))
    return second !== '';
  return second === '' && more.length === 0 && (isAddress(first) || isBareAddress(first));
}

/** Reads such a line; an address that cannot be read is refused as one of an MCP server. */
export function readConnectionLine(line: string, start: number, reading: Reading): void {
  const isAlone = !/\s/.test(line);
  const complete = isAlone && !isAddress(line) ? `https://${line}` : line;
  const page = isAlone ? readPackagePage(complete) : undefined;
  if (page) {
    const { version, ...rest } = page;
    return add({ kind: 'mcp-package', ...rest, ...(version !== undefined && { version }) }, [], reading);
  }
  const read = parseLine(/\.mcpb$/i.test(line) && isAlone ? `mcpb ${complete}` : complete) as Candidate['connection'];
  const isKnown = connectionKinds.some((kind) => kind === read.kind);
  const isPackage = read.kind === 'mcp-package';
  const text = isAlone && !isPackage ? maskMember('url', line) : undefined;
  add(isKnown ? read : toMcpRemote(complete), [], reading, isPackage ? {} : { text, start });
}
