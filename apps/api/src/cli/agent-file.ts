import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { agentSchema, removeBroken, type ListedAgent } from '@agent-registry/contracts';
import { JSONParser } from '@streamparser/json';
import { CsvError, parse as parseCsv } from 'csv-parse';
import { stringify as stringifyCsv } from 'csv-stringify/sync';
import { CommandError } from './command.ts';
import { MAX_LINE_LENGTH, readLines } from './lines.ts';

/** An entry of a file: a line of NDJSON, a row of CSV or an element of a JSON array. */
export type Entry = {
  /** The number of its first line, or its position in a JSON array, starting at 1. */
  number: number;
  /** The original text; an element of a JSON array is serialized again. */
  text: string;
  /** Why the entry cannot be parsed. */
  fault?: string;
  value?: unknown;
};

/** A file format for agents. */
export type FileFormat = {
  /** The name of an entry in messages. */
  unit: 'line' | 'entry';
  /**
   * Reads the entries of a file.
   * @param onBytes called with the number of bytes of each chunk
   * @throws {CommandError} when the file is not valid.
   */
  read(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Entry, void, undefined>;
  /** Serializes agents. */
  write(batches: AsyncIterable<readonly ListedAgent[]>): AsyncGenerator<string, void, undefined>;
};

const columns = agentSchema.keyof().options;

const formats: Record<string, FileFormat> = {
  '.ndjson': { unit: 'line', read: readNdjson, write: writeNdjson },
  '.json': { unit: 'entry', read: readJson, write: writeJson },
  '.csv': { unit: 'line', read: readCsv, write: writeCsv },
};

/**
 * Returns the format of a file by its extension.
 * @throws {CommandError} when the extension is not `.ndjson`, `.json` or `.csv`.
 */
export function formatOf(path: string): FileFormat {
  const format = formats[extname(path).toLowerCase()];
  if (!format) throw new CommandError(`The name of ${path} must end in .ndjson, .json or .csv.`);
  return format;
}

async function* readNdjson(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Entry, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const { number, bytes } of readLines(readBytes(path, onBytes), path)) {
    const text = bytes.toString();
    if (text.trim() === '') continue;
    try {
      yield { number, text, value: JSON.parse(decoder.decode(bytes)) as unknown };
    } catch (error) {
      yield {
        number,
        text,
        fault: error instanceof SyntaxError ? 'The line is not valid JSON' : 'The line is not UTF-8',
      };
    }
  }
}

async function* writeNdjson(batches: AsyncIterable<readonly ListedAgent[]>): AsyncGenerator<string, void, undefined> {
  for await (const batch of batches) yield batch.map((agent) => `${JSON.stringify(agent)}\n`).join('');
}

async function* readJson(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Entry, void, undefined> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  let values: unknown[] = [];
  let number = 0;
  let isList: boolean | undefined;
  parser.onValue = ({ value }) => void values.push(value);
  let length = 0;
  for await (const chunk of readText(path, onBytes)) {
    isList ??= chunk.trim() === '' ? undefined : chunk.trimStart().startsWith('[');
    if (isList === false) break;
    parseMore(() => parser.write(chunk));
    for (const value of values) {
      number += 1;
      yield toEntry(number, value);
    }
    length = values.length === 0 ? length + chunk.length : 0;
    if (length > MAX_LINE_LENGTH) throw new CommandError(`Entry ${number + 1} of ${path} is too long.`);
    values = [];
  }
  if (!isList) throw new CommandError(`${path} must be a JSON array of agents.`);
  if (!parser.isEnded) parseMore(() => parser.end());

  function parseMore(parse: () => void): void {
    try {
      parse();
    } catch (cause) {
      throw new CommandError(`${path} is not valid JSON after its entry ${number + values.length}.`, { cause });
    }
  }
}

// JSON.stringify overflows the stack for values that nest too deeply.
function toEntry(number: number, value: unknown): Entry {
  try {
    return { number, text: JSON.stringify(value), value };
  } catch {
    return { number, text: '', fault: 'The entry is nested too deeply' };
  }
}

async function* writeJson(batches: AsyncIterable<readonly ListedAgent[]>): AsyncGenerator<string, void, undefined> {
  let separator = '[\n';
  for await (const batch of batches) {
    yield separator + batch.map((agent) => JSON.stringify(agent)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

// The parser's own messages repeat the cell, which may be a megabyte of any text.
const STRAY_QUOTATION_MARK =
  'a cell with quotation marks must stand in quotation marks, and each of its own must be doubled';
const csvReasons: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'the file ends within quotation marks',
  CSV_MAX_RECORD_SIZE: 'the line is too long',
};

async function* readCsv(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Entry, void, undefined> {
  const parser = parseCsv({ bom: true, raw: true, relax_column_count: true, max_record_size: MAX_LINE_LENGTH });
  // Errors reach the reader of the parser.
  pipeline(Readable.from(readText(path, onBytes)), parser, () => {});
  let names: string[] | undefined;
  let linesBefore = 0;
  try {
    for await (const { record, raw } of parser as AsyncIterable<CsvRecord>) {
      const number = linesBefore + 1;
      linesBefore += raw.match(/\r\n|\r|\n/g)?.length ?? 0;
      if (!names) names = readHeader(path, record);
      else if (raw.trim() !== '') yield { number, text: raw.replace(/\r?\n$/, ''), ...toValue(names, record) };
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const reason = csvReasons[cause.code] ?? STRAY_QUOTATION_MARK;
    throw new CommandError(`${path} is not valid CSV in line ${String(cause.lines)}: ${reason}.`, { cause });
  }
}

type CsvRecord = { record: string[]; raw: string };

function readHeader(path: string, names: string[]): string[] {
  const unknown = names.filter((name) => !(columns as readonly string[]).includes(name));
  if (unknown.length > 0 || new Set(names).size < names.length) {
    throw new CommandError(`The first line of ${path} must name columns, each once: ${columns.join(', ')}.`);
  }
  return names;
}

function toValue(names: readonly string[], cells: readonly string[]): Pick<Entry, 'value' | 'fault'> {
  if (cells.length !== names.length) {
    return { fault: `The line has ${cells.length} cells and must have ${names.length}` };
  }
  const given = names.flatMap((name, index) => {
    const cell = cells[index] as string;
    return cell === '' ? [] : [[name, fromCell(name, cell)]];
  });
  return { value: Object.fromEntries(given) as unknown };
}

function fromCell(name: string, cell: string): unknown {
  const text = cell.replace(/^'(?=[=+\-@\t\r'])/, '');
  if (name === 'rating' || name === 'reviewCount') return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (name !== 'capabilities') return text;
  if (!text.startsWith('[')) return text.split(',');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function* writeCsv(batches: AsyncIterable<readonly ListedAgent[]>): AsyncGenerator<string, void, undefined> {
  yield `${columns.join(',')}\n`;
  for await (const batch of batches) {
    const rows = batch.map((agent) => columns.map((name) => toCell(agent[name])));
    yield stringifyCsv(rows, { quoted_string: true });
  }
}

// An apostrophe keeps spreadsheets from running a text as a formula.
function toCell(value: ListedAgent[keyof ListedAgent]): string {
  const text = removeBroken(Array.isArray(value) ? JSON.stringify(value) : String(value ?? ''));
  return text.replace(/^(?=[=+\-@\t\r'])/, "'");
}

async function* readBytes(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    onBytes(chunk.length);
    yield chunk;
  }
}

async function* readText(path: string, onBytes: (bytes: number) => void): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Buffer) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw new CommandError(`${path} is not UTF-8.`, { cause });
    }
  };
  for await (const chunk of readBytes(path, onBytes)) yield decode(chunk);
  yield decode();
}
