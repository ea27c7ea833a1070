import { pipeline, Readable } from 'node:stream';
import {
  fieldNames,
  listFields,
  nameUnknownField,
  parseJson,
  readList,
  readPasted,
  removeBroken,
  rowOf,
  type ListedAgent,
} from '@agent-registry/contracts';
import { CsvError, parse as parseCsv } from 'csv-parse';
import { stringify as stringifyCsv } from 'csv-stringify/sync';
import { CommandError } from './command.ts';
import type { FieldMap } from './read-entries.ts';
import { MAX_LINE_LENGTH, type Entry, readText } from './files.ts';

export type ExportedAgent = ListedAgent & {
  /** From where it was imported, if nobody has claimed it; an import drops it. */
  importedFrom?: string | undefined;
};

const columns = [...fieldNames, 'importedFrom'] as const;

// The parser's own messages repeat the cell, which may be a megabyte of any text.
const STRAY_QUOTATION_MARK =
  'a cell with quotation marks must stand in quotation marks, and each of its own must be doubled';
const csvReasons: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'the file ends within quotation marks',
  CSV_MAX_RECORD_SIZE: 'the line is too long',
};

export async function* readCsv(
  path: string,
  onBytes: (bytes: number) => void,
  map?: FieldMap,
): AsyncGenerator<Entry, void, undefined> {
  const texts = readText(path, onBytes);
  const first = await texts.next();
  const start = first.done ? '' : first.value;
  const parser = parseCsv({
    bom: true,
    raw: true,
    relax_column_count: true,
    max_record_size: MAX_LINE_LENGTH,
    delimiter: findSeparator(start),
  });
  const chunks = async function* () {
    yield start;
    yield* texts;
  };
  // Errors reach the reader of the parser.
  pipeline(Readable.from(chunks()), parser, () => {});
  let names: string[] | undefined;
  let linesBefore = 0;
  try {
    for await (const { record, raw } of parser as AsyncIterable<CsvRecord>) {
      const number = linesBefore + 1;
      linesBefore += raw.match(/\r\n|\r|\n/g)?.length ?? 0;
      if (!names) names = readHeader(path, record, map);
      else if (record.some(isFilled)) yield { number, text: raw.replace(/\r?\n$/, ''), ...toValue(names, record) };
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const reason = csvReasons[cause.code] ?? STRAY_QUOTATION_MARK;
    throw new CommandError(`${path} is not valid CSV in line ${String(cause.lines)}: ${reason}.`, { cause });
  }
}

/** The separator that the header has most often. csv-parse finds none in texts with letters beyond ASCII. */
function findSeparator(text: string): string {
  const [header = ''] = text.split(/\r?\n/, 1);
  const unquoted = header.replaceAll(/"[^"]*"/g, '');
  const countOf = (mark: string) => unquoted.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (countOf(mark) > countOf(best) ? mark : best));
}

type CsvRecord = { record: string[]; raw: string };

/** Spreadsheets fill lines up with empty cells. */
function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}

/** Reads the names of columns as fields; with a map a column that stands for none is empty. */
function readHeader(path: string, cells: string[], map: FieldMap | undefined): string[] {
  const given = cells.slice(0, cells.findLastIndex(isFilled) + 1).map((cell) => cell.trim());
  const missing = Object.keys(map ?? {}).find((name) => !given.includes(name));
  if (missing !== undefined) throw new CommandError(`The first line of ${path} has no column ${quote(missing)}.`);
  const names = map ? given.map((name) => map[name] ?? (isColumn(name) ? name : '')) : given;
  const wrong = names.find((name) => name !== '' && !isColumn(name)) ?? (map ? undefined : names.find((name) => !name));
  if (wrong !== undefined) {
    const known = `The columns are ${columns.join(', ')}; --map name=field reads another one`;
    throw new CommandError(`The first line of ${path} names ${quote(wrong)}, which is no column. ${known}.`);
  }
  const repeated = names.find((name, index) => name !== '' && names.indexOf(name) < index);
  if (repeated !== undefined) throw new CommandError(`The first line of ${path} names ${repeated} more than once.`);
  return names;
}

function isColumn(name: string): boolean {
  return (columns as readonly string[]).includes(name);
}

function quote(cell: string): string {
  return JSON.stringify(nameUnknownField(cell));
}

function toValue(names: readonly string[], cells: readonly string[]): Pick<Entry, 'value' | 'fault'> {
  const surplus = cells.slice(names.length).find(isFilled);
  if (surplus !== undefined) return { fault: `The cell ${quote(surplus)} is in no column` };
  if (cells.length < names.length) {
    return { fault: `The line has ${cells.length} cells and must have ${names.length}` };
  }
  const given = names.flatMap((name, index) => {
    const cell = cells[index] as string;
    return cell === '' || name === '' ? [] : [[name, fromCell(name, cell)]];
  });
  const value: Record<string, unknown> = Object.fromEntries(given);
  if (typeof value.connections !== 'string') return { value };
  const { ways, faults } = readPasted(value.connections);
  return { value: { ...value, connections: ways.map(({ connection }) => connection) }, fault: faults[0] };
}

/** Reads a cell. A list is JSON or, as people write it, texts with their mark between two; connections may stay text. */
function fromCell(name: string, cell: string): unknown {
  const text = cell.replace(/^'(?=[=+\-@\t\r'])/, '');
  const row = rowOf(name);
  if (row?.kind === 'connections') return parseJson(text) ?? text;
  if (row?.kind === 'number') return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (!listFields.some((field) => field === name)) return text;
  const [, list] = /^\[(.*)\]$/s.exec(text.trim()) ?? [];
  if (list === undefined) return readList(name, text);
  return parseJson(text) ?? readList(name, list);
}

export async function* writeCsv(
  batches: AsyncIterable<readonly ExportedAgent[]>,
): AsyncGenerator<string, void, undefined> {
  yield `${columns.join(',')}\n`;
  for await (const batch of batches) {
    const rows = batch.map((agent) => columns.map((name) => toCell(agent[name])));
    yield stringifyCsv(rows, { quoted_string: true });
  }
}

// An apostrophe keeps spreadsheets from running a text as a formula.
function toCell(value: ExportedAgent[keyof ExportedAgent]): string {
  const text = removeBroken(Array.isArray(value) ? JSON.stringify(value) : String(value ?? ''));
  return text.replace(/^(?=[=+\-@\t\r'])/, "'");
}
