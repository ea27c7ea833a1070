/**
 * Reads what people paste about how one connects to an agent: addresses, commands, configurations of clients, `server.json`.
 * The text is written anew with what was recognised, so that values of headers, variables and arguments are gone before
 * anything else sees it.
 */
import { findHeaderFault, findVariableFault } from '../connection-faults.ts';
import { MAX_CONNECTIONS, type Connection } from '../connection.ts';
import { writeInput } from '../connection-text.ts';
import { identityOf, readConnections } from '../read-connections.ts';
import { maskWords, nameOfAssignment, REMOVED } from './mask.ts';
import { validateConnection } from './pasted-faults.ts';
import { readCommand, toInput, type Found } from './read-command.ts';
import { readJson } from './read-json.ts';
import {
  add,
  isConnectionLine,
  isInputLine,
  readConnectionLine,
  readInputLine,
  type Candidate,
  type Reading,
} from './read-lines.ts';
import { splitShell } from './shell-words.ts';
import { readToml } from './toml.ts';

/** Longest text that is read, in UTF-16 units. */
export const MAX_PASTED_LENGTH = 16_384;

/** A connection that was found, the number of its line, and of an address the place of its line. */
export type PastedWay = Pick<Candidate, 'line' | 'address'> & { connection: Connection };

/** What was read. */
export type Pasted = {
  /** The text without values, a line for each connection and input. It reads the same. */
  text: string;
  ways: PastedWay[];
  /** What is wrong with the text, as sentences without a period. */
  faults: string[];
  /** What was left out. */
  notes: string[];
  /** Names of which values were removed. */
  names: string[];
};

/** Reads a pasted or typed text. Takes time in proportion to its length. */
export function readPasted(given: string): Pasted {
  const { lines, names, notes } = read(given.slice(0, MAX_PASTED_LENGTH + 1));
  // One too long stays too long.
  const end = lines.length > 0 && given.slice(given.trimEnd().length).includes('\n') ? '\n' : '';
  const text = (lines.join('\n') + end).padEnd(given.length > MAX_PASTED_LENGTH ? MAX_PASTED_LENGTH + 1 : 0);
  // Read anew: nothing else of the result can have a value.
  const { ways, faults, left } = judge(text, read(text));
  return { text, ways, faults, notes: [...notes, ...left], names: [...names] };
}

function read(text: string): Reading {
  const reading: Reading = {
    lines: [],
    candidates: [],
    faults: [],
    notes: [],
    pending: [],
    names: new Set(),
    isOpen: false,
  };
  for (let at = 0; at < text.length;) at = readBlock(text, at, reading);
  const [first] = reading.pending;
  if (first) fail(`${first.name} belongs to no connection: write the address or the command above it`, reading);
  reading.lines.push(...reading.pending.map(writeInput));
  return reading;
}

function fail(fault: string, reading: Reading): void {
  reading.faults.push({ line: reading.lines.length + 1, fault });
}

/** Validates what was found. */
function judge(text: string, { candidates, faults }: Reading) {
  const wrong = [...faults];
  const left: string[] = [];
  const ways = new Map<string, PastedWay>();
  for (const { connection: candidate, inputs, line, address } of candidates) {
    const { connection, fault, left: refused } = validateConnection(candidate, inputs);
    for (const name of refused) {
      const why = candidate.kind === 'mcp-package' ? findVariableFault(name) : findHeaderFault(name);
      left.push(`Line ${line}: ${name.slice(0, 64)} is left out: its name ${why}`);
    }
    if (fault !== undefined) wrong.push({ line, fault });
    if (!connection) continue;
    const earlier = ways.get(identityOf(connection));
    if (earlier) wrong.push({ line, fault: `this is line ${earlier.line} once more` });
    else ways.set(identityOf(connection), { connection, line, address });
  }
  const sentences = wrong
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, fault }) => `Line ${line}: ${fault}`);
  const all = [...ways.values()];
  return { ways: all, faults: [...sentences, ...findListFaults(text, all)], left };
}

function findListFaults(raw: string, ways: readonly PastedWay[]): string[] {
  if (raw.length > MAX_PASTED_LENGTH) return ['This text is too long: it can have at most 16,384 characters'];
  if (ways.length > MAX_CONNECTIONS)
    return [`An agent can have at most ${MAX_CONNECTIONS} connections: take out ${ways.length - MAX_CONNECTIONS}`];
  const isTooLarge = readConnections(ways.map(({ connection }) => connection)).faults.length > 0;
  return isTooLarge ? ['The connections are too long together: shorten their descriptions'] : [];
}

/** Reads the block at a place. @returns the place after it */
function readBlock(raw: string, from: number, reading: Reading): number {
  const start = from + (/^[\s,;]*/.exec(raw.slice(from, from + 64))?.[0].length ?? 0);
  if (start > from || start >= raw.length) return start;
  const head = raw.slice(start, start + 120);
  if (/^(?:[{[]|"[^"\n]{0,100}"\s{0,10}:)/.test(head)) {
    const toml = head.startsWith('[mcp_servers.') ? readToml(raw, start) : undefined;
    const { found, end, masked } = toml ? { ...readJson(toml.json), end: toml.end } : readJson(raw, start);
    take(found, masked, reading);
    return Math.max(end, start + 1);
  }
  const newline = raw.indexOf('\n', start);
  const end = newline < 0 ? raw.length : newline;
  const line = raw.slice(start, end).trim();
  if (isInputLine(line)) readInputLine(line, reading);
  else if (isConnectionLine(line)) readConnectionLine(line, start, reading);
  else if (!line.startsWith('```')) return Math.max(readCommands(raw, start, end, reading), start + 1);
  return end;
}

/** Keeps the connections of a block. The block stays as text if it has none; otherwise its refused parts are left out. */
function take(found: readonly Found[], masked: string, reading: Reading): void {
  const faults = found.flatMap(({ fault }) => fault ?? []);
  const isTaken = found.some(({ connection }) => connection !== undefined);
  if (isTaken) reading.notes.push(...faults.map((fault) => `Left out: ${fault}`));
  else {
    for (const fault of faults) fail(fault, reading);
    reading.lines.push(...masked.split('\n'));
  }
  for (const { connection, inputs = [], note } of found) {
    if (note !== undefined) reading.notes.push(note);
    if (!connection) continue;
    // Of an input that is not described only the name is known.
    for (const { name, description } of inputs) if (name === description) reading.names.add(name);
    add(connection, inputs, reading);
  }
}

const UNKNOWN =
  'this is no address, command or configuration that the registry knows: write an https address, a command such as npx -y @example/tides@1.2.3, or the JSON of a client';

/** Reads the commands of a line. @returns the place after it */
function readCommands(raw: string, start: number, lineEnd: number, reading: Reading): number {
  const whole = reading.isOpen ? undefined : splitShell(raw, start);
  reading.isOpen ||= whole?.isOpen === true;
  const { commands, isOpen, end } = whole?.isOpen === false ? whole : splitShell(raw.slice(0, lineEnd), start);
  const masked = commands.map(maskWords).join('; ');
  if (isOpen) {
    fail('a quote is not closed', reading);
    reading.lines.push(`${maskWords(commands.flat().slice(0, -1))} "${REMOVED}`.trim());
    return end;
  }
  const variables = commands.flatMap((command) => readSetting(command) ?? []).map(toInput);
  const others = commands.filter((command) => readSetting(command) === undefined);
  const [first] = others.flatMap((command) => readCommand(command) ?? []);
  if (first) {
    const found = first.json === undefined ? [first] : readJson(first.json).found;
    const withVariables = found.map((each) => ({ ...each, inputs: [...variables, ...(each.inputs ?? [])] }));
    take(withVariables, masked, reading);
  } else if (variables.length > 0) {
    reading.pending.push(...variables);
    for (const { name } of variables) reading.names.add(name);
  } else {
    fail(UNKNOWN, reading);
    reading.lines.push(masked);
  }
  return end;
}

/** The name of a variable that a command sets: `export A=b`, `set A=b`, `$env:A = "b"`. */
function readSetting([first = '', second = '']: readonly string[]): string | undefined {
  const [, ofPowerShell] = /^\$env:(\w{1,100})(?:=|$)/i.exec(first) ?? [];
  return ofPowerShell ?? (/^(?:export|set|setx)$/i.test(first) ? nameOfAssignment(second) : undefined);
}
