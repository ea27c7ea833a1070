// Lines of a pasted text: a kind with its address or package, an address alone, and what a connection asks for.
import { connectionKinds, packageRegistries, type Connection, type ConnectionInput } from '../connection.ts';
import { parseInput, parseLine, toMcpRemote } from '../connection-text.ts';
import { maskPackage } from './command-options.ts';
import {
  isAddress,
  isBareAddress,
  maskUrl,
  nameOfAssignment,
  nameOfHeader,
  REMOVED,
  type Edit,
} from './masked-text.ts';
import { readPackagePage } from './package-references.ts';

/** A connection that is not validated, and its place. */
export type Candidate = {
  at: number;
  connection: Record<string, unknown> & { kind: string };
  inputs: ConnectionInput[];
  isLine: boolean;
  end: number;
};
/** What has been read of a text. */
export type Reading = {
  candidates: Candidate[];
  faults: { at: number; fault: string }[];
  notes: { at: number; fault: string }[];
  /** Inputs above the connection that asks for them. */
  pending: ConnectionInput[];
  edits: Edit[];
  names: Set<string>;
  /** Whether a quote is open until the end: then each line ends its command. */
  isOpen: boolean;
};

/** A header or variable of which only the name is known. */
export const toInput = (name: string): ConnectionInput => ({ name, description: name, required: true, secret: true });

/** Adds a connection with what was said above it. */
export function add(
  connection: Candidate['connection'],
  at: number,
  reading: Reading,
  inputs: ConnectionInput[],
  end?: number,
): void {
  reading.candidates.push({
    connection,
    at,
    inputs: [...reading.pending, ...inputs],
    isLine: end !== undefined,
    end: end ?? at,
  });
  reading.pending = [];
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

export function readInputLine(line: string, start: number, stop: number, reading: Reading): number {
  const [head = ''] = line.split(' asks for ', 1);
  const bare = line.replace(/^(?:-\s*|(?:export|set)\s+)/i, '');
  const isDescribed = /^-\s?[A-Za-z_][\w-]*(?: ?\([a-z, ]{0,40}\))?$/i.test(head.trim());
  const input = isDescribed
    ? parseInput(line)
    : toInput(nameOfAssignment(bare) ?? nameOfHeader(bare) ?? /^[\w-]*/.exec(bare)?.[0] ?? '');
  if (!isDescribed) {
    const marks = /^-\s?[\w-]+ ?\([a-z, ]{0,40}\)/i.exec(line)?.[0];
    Object.assign(input, marks === undefined ? {} : { ...parseInput(marks), description: input.name });
    const sign = nameOfAssignment(bare) === undefined ? ': ' : '=';
    const before = marks ?? `${line.startsWith('-') ? '- ' : ''}${input.name}`;
    reading.edits.push({ start, end: stop, text: `${before}${sign}${REMOVED}` });
    reading.names.add(input.name);
  }
  (reading.candidates.at(-1)?.inputs ?? reading.pending).push(input);
  return stop;
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

export function readConnectionLine(line: string, start: number, stop: number, reading: Reading): number {
  const words = line.split(/\s+/);
  const isPackage = packageRegistries.some((registry) => registry === words[0]?.toLowerCase());
  const shown = words
    .map((word, index) => maskLineWord(word, isPackage, words.length === 1 || index === words.length - 1))
    .join(' ');
  if (shown !== line) reading.edits.push({ start, end: stop, text: shown });
  const complete = words.length === 1 && !isAddress(shown) ? `https://${shown}` : shown;
  const page = words.length === 1 ? readPackagePage(complete) : undefined;
  if (page) {
    const { version, ...rest } = page;
    add({ kind: 'mcp-package', ...rest, ...(version !== undefined && { version }) }, start, reading, []);
  } else if (words.length === 1 && /\.mcpb$/i.test(shown)) add(toConnection(`mcpb ${complete}`), start, reading, []);
  else
    add(
      toConnection(words.length === 1 ? complete : shown),
      start,
      reading,
      [],
      isPackage ? undefined : start + shown.length,
    );
  return stop;
}

/** Reads such a line; an address that cannot be read is refused as one of an MCP server. */
function toConnection(line: string): Candidate['connection'] {
  const connection = parseLine(line) as Candidate['connection'];
  return connectionKinds.includes(connection.kind as Connection['kind']) ? connection : toMcpRemote(line);
}

/** Shows of the words of such a line its kind, its address or package, its version and its checksum. */
function maskLineWord(word: string, isPackage: boolean, isLast: boolean): string {
  if (isAddress(word)) return maskUrl(word);
  if (
    isPackage &&
    (/^[a-f\d]{64}$/i.test(word) || /^[v^~]?\d[\w.+-]{0,63}$/.test(word) || /[@/:=]|^[a-z.-]{1,40}$/i.test(word))
  )
    return maskPackage(word);
  return /^[a-z\d-]{1,16}$/i.test(word) && !isLast
    ? word
    : isBareAddress(word) || /^[a-z-]{1,16}$/i.test(word)
      ? word
      : REMOVED;
}
