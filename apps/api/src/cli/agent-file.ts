import { extname } from 'node:path';
import { JSONParser } from '@streamparser/json';
import { CommandError } from './command.ts';
import { readCsv, writeCsv, type ExportedAgent } from './csv-file.ts';
import { MAX_LINE_LENGTH, readLines, type Entry } from './lines.ts';
import { readBytes, readText } from './read-text.ts';

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
  write(batches: AsyncIterable<readonly ExportedAgent[]>): AsyncGenerator<string, void, undefined>;
};

const formats: Record<string, FileFormat> = {
  '.ndjson': { unit: 'line', read: readNdjson, write: writeNdjson },
  '.jsonl': { unit: 'line', read: readNdjson, write: writeNdjson },
  '.json': { unit: 'entry', read: readJson, write: writeJson },
  '.csv': { unit: 'line', read: readCsv, write: writeCsv },
};

/**
 * Returns the format of a file by its extension.
 * @throws {CommandError} when the extension is none of these formats.
 */
export function formatOf(path: string): FileFormat {
  const format = formats[extname(path).toLowerCase()];
  if (!format) throw new CommandError(`The name of ${path} must end in .ndjson, .jsonl, .json or .csv.`);
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

async function* writeNdjson(batches: AsyncIterable<readonly ExportedAgent[]>): AsyncGenerator<string, void, undefined> {
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

async function* writeJson(batches: AsyncIterable<readonly ExportedAgent[]>): AsyncGenerator<string, void, undefined> {
  let separator = '[\n';
  for await (const batch of batches) {
    yield separator + batch.map((agent) => JSON.stringify(agent)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
