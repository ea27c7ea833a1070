/**
 * Reads what people paste about how one connects to an agent: addresses, commands, configurations of clients, `server.json`.
 * Values of headers, variables and arguments are removed from the text before anything else sees it.
 */
import { identityOf, readConnections } from '../read-connections.ts';
import { findHeaderFault, findVariableFault } from '../connection-faults.ts';
import { MAX_CONNECTIONS, type Connection } from '../connection.ts';
import { applyEdits, REMOVED } from './masked-text.ts';
import { validateConnection } from './pasted-faults.ts';
import { readJson, type FoundAt } from './read-json.ts';
import {
  add,
  isConnectionLine,
  isInputLine,
  readConnectionLine,
  readInputLine,
  toInput,
  type Reading,
} from './read-lines.ts';
import { readShell } from './read-shell.ts';

/** Longest text that is read, in UTF-16 units. */
export const MAX_PASTED_LENGTH = 16_384;

/** A connection that was found, the number of its line, and of an address alone the place of its line. */
export type PastedWay = { connection: Connection; line: number; address?: { start: number; end: number } | undefined };

/** What was read. */
export type Pasted = {
  /** The text without values. It reads the same. */
  text: string;
  ways: PastedWay[];
  /** What is wrong, as sentences without a period. */
  faults: string[];
  /** What was left out. */
  notes: string[];
  /** Names of which values were removed. */
  names: string[];
};

/** Reads a pasted or typed text. Takes time in proportion to its length. */
export function readPasted(given: string): Pasted {
  // One too long stays too long.
  const raw = given.slice(0, MAX_PASTED_LENGTH + 1);
  const { edits } = read(raw);
  const text = applyEdits(raw, edits);
  // Read anew: nothing else of the result can have a value.
  const reading = read(text);
  return { text, names: text.includes(REMOVED) ? [...reading.names] : [], ...judge(text, reading) };
}

function read(text: string): Reading {
  const reading: Reading = {
    candidates: [],
    faults: [],
    notes: [],
    pending: [],
    edits: [],
    names: new Set(),
    isOpen: false,
  };
  for (let at = 0; at < text.length;) at = readBlock(text, at, reading);
  const [first] = reading.pending;
  if (!first) return reading;
  const fault = `${first.name} belongs to no connection: write the address or the command above it`;
  return { ...reading, faults: [{ at: 0, fault }, ...reading.faults] };
}

/** Validates what was found. */
function judge(raw: string, { candidates, faults, notes }: Reading): Pick<Pasted, 'ways' | 'faults' | 'notes'> {
  const toLine = countLines(raw);
  const wrong = [...faults];
  const left = [...notes];
  const known = new Map<string, number>();
  const ways: PastedWay[] = [];
  for (const { at, connection: candidate, inputs, isLine, end } of candidates) {
    const { connection, fault, left: refused } = validateConnection(candidate, inputs);
    for (const name of refused) {
      const why = candidate.kind === 'mcp-package' ? findVariableFault(name) : findHeaderFault(name);
      left.push({ at, fault: `${name.slice(0, 64)} is left out: its name ${why}` });
    }
    if (fault !== undefined) wrong.push({ at, fault });
    if (!connection) continue;
    const earlier = known.get(identityOf(connection));
    if (earlier !== undefined) wrong.push({ at, fault: `this is line ${toLine(earlier)} once more` });
    else {
      known.set(identityOf(connection), at);
      ways.push({ connection, line: toLine(at), address: isLine ? { start: at, end } : undefined });
    }
  }
  const write = (list: typeof wrong) =>
    list.toSorted((one, other) => one.at - other.at).map(({ at, fault }) => `Line ${toLine(at)}: ${fault}`);
  return { ways, faults: [...write(wrong), ...findListFaults(raw, ways)], notes: write(left) };
}

function findListFaults(raw: string, ways: readonly PastedWay[]): string[] {
  if (raw.length > MAX_PASTED_LENGTH) return ['This text is too long: it can have at most 16,384 characters'];
  if (ways.length > MAX_CONNECTIONS)
    return [`An agent can have at most ${MAX_CONNECTIONS} connections: take out ${ways.length - MAX_CONNECTIONS}`];
  const isTooLarge = readConnections(ways.map(({ connection }) => connection)).faults.length > 0;
  return isTooLarge ? ['The connections are too long together: shorten their descriptions'] : [];
}

/** Counts the lines before a place, in one pass for all places. */
function countLines(text: string): (at: number) => number {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (at) => {
    let [low, high] = [0, starts.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** Reads the block at a place. @returns the place after it */
function readBlock(raw: string, from: number, reading: Reading): number {
  const start = from + (/^[\s,;]*/.exec(raw.slice(from, from + 64))?.[0].length ?? 0);
  if (start > from || start >= raw.length) return start;
  if (/^(?:[{[]|"[^"\n]{0,100}"\s{0,10}:)/.test(raw.slice(start, start + 120)))
    return readJsonBlock(raw, start, reading);
  const newline = raw.indexOf('\n', start);
  const end = newline < 0 ? raw.length : newline;
  const line = raw.slice(start, end).trim();
  if (line.startsWith('```')) {
    reading.edits.push({ start: start + 3, end, text: '' });
    return end;
  }
  const stop = start + line.length;
  if (isInputLine(line)) return readInputLine(line, start, stop, reading);
  if (isConnectionLine(line)) return readConnectionLine(line, start, stop, reading);
  return readCommandBlock(raw, start, end, reading);
}

function readJsonBlock(raw: string, start: number, reading: Reading): number {
  const { found, edits, end } = readJson(raw, start);
  reading.edits.push(...edits);
  for (const each of found) take(each, reading);
  return Math.max(end, start + 1);
}

function take(
  { at, connection, headers = [], variables = [], inputs, fault, note, hasArguments }: FoundAt,
  reading: Reading,
): void {
  const names = connection?.kind === 'mcp-package' ? variables : headers;
  for (const name of [...headers, ...variables, ...(inputs ?? []).map((input) => input.name)]) reading.names.add(name);
  if (fault !== undefined) reading.faults.push({ at, fault });
  if (note !== undefined) reading.notes.push({ at, fault: note });
  if (hasArguments)
    reading.notes.push({ at, fault: 'arguments and options are left out: clients start the server without them' });
  if (connection) add(connection, at, reading, inputs ?? names.map(toInput));
}

const UNKNOWN =
  'this is no address, command or configuration that the registry knows: write an https address, a command such as npx -y @example/tides@1.2.3, or the JSON of a client';

function readCommandBlock(raw: string, start: number, lineEnd: number, reading: Reading): number {
  let read = readShell(raw, start, reading.isOpen ? lineEnd : undefined);
  if (read.isOpen && !reading.isOpen) {
    reading.isOpen = true;
    read = readShell(raw, start, lineEnd);
  }
  const { found, variables, edits, end, isOpen } = read;
  reading.edits.push(...edits);
  for (const name of variables) reading.names.add(name);
  if (isOpen) reading.faults.push({ at: start, fault: 'a quote is not closed' });
  else if (found) for (const each of found) take({ ...each, at: start }, reading);
  else if (variables.length > 0) reading.pending.push(...variables.map(toInput));
  else reading.faults.push({ at: start, fault: UNKNOWN });
  return Math.max(end, start + 1);
}
