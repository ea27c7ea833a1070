import { pipeline, Readable } from 'node:stream';
import { agentSchema, removeBroken, type ListedAgent } from '@agent-registry/contracts';
import { CsvError, parse as parseCsv } from 'csv-parse';
import { stringify as stringifyCsv } from 'csv-stringify/sync';
import type { Entry } from './agent-file.ts';
import { CommandError } from './command.ts';
import { MAX_LINE_LENGTH } from './lines.ts';
import { readText } from './read-text.ts';

const columns = agentSchema.keyof().options;

// The parser's own messages repeat the cell, which may be a megabyte of any text.
const STRAY_QUOTATION_MARK =
  'a cell with quotation marks must stand in quotation marks, and each of its own must be doubled';
const csvReasons: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'the file ends within quotation marks',
  CSV_MAX_RECORD_SIZE: 'the line is too long',
};

/** Reads the rows of a CSV file whose first line names columns. */
export async function* readCsv(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Entry, void, undefined> {
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

/** Serializes agents as CSV, with a line of column names first. */
export async function* writeCsv(
  batches: AsyncIterable<readonly ListedAgent[]>,
): AsyncGenerator<string, void, undefined> {
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
