import { stat } from 'node:fs/promises';
import { toObject } from '@agent-registry/contracts';
import { extname } from 'node:path';
import { JSONParser } from '@streamparser/json';
import { CommandError } from './command.ts';
import { readCsv, writeCsv, type ExportedAgent } from './csv-file.ts';
import { toServer } from '../sync/read-server.ts';
import { readMarkdownList } from './markdown-list.ts';
import type { FieldMap } from './read-entries.ts';
import { MAX_LINE_LENGTH, readLines, type Entry, readBytes, readText } from './files.ts';

export type FileFormat = {
  /** The name of an entry in messages. */
  unit: 'line' | 'entry';
  /** @param map the fields that columns of a table stand for, whose other columns are left out */
  read(path: string, onBytes: (bytes: number) => void, map?: FieldMap): AsyncGenerator<Entry, void, undefined>;
  write?: (batches: AsyncIterable<readonly ExportedAgent[]>) => AsyncGenerator<string, void, undefined>;
};

/** The names under which answers of registries have a list of servers or agents. */
const listNames = ['servers', 'agents', 'data', 'entries', 'items', 'results'];
const MAX_MARKDOWN_SIZE = 2 ** 20;

const formats: Record<string, FileFormat> = {
  '.ndjson': { unit: 'line', read: readNdjson, write: writeNdjson },
  '.jsonl': { unit: 'line', read: readNdjson, write: writeNdjson },
  '.json': { unit: 'entry', read: readJson, write: writeJson },
  '.csv': { unit: 'line', read: readCsv, write: writeCsv },
  '.md': { unit: 'entry', read: readMarkdown },
};

export function formatOf(path: string): FileFormat {
  const format = formats[extname(path).toLowerCase()];
  if (!format) throw new CommandError(`The name of ${path} must end in .ndjson, .jsonl, .json, .csv or .md.`);
  return format;
}

async function* readMarkdown(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Entry, void, undefined> {
  if ((await stat(path)).size > MAX_MARKDOWN_SIZE) throw new CommandError(`${path} has more than 1 MiB.`);
  let text = '';
  for await (const chunk of readText(path, onBytes)) text += chunk;
  for (const [index, value] of readMarkdownList(text).entries()) yield toEntry(index + 1, value);
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
  let parser: JSONParser | undefined;
  let values: Item[] = [];
  let number = 0;
  let length = 0;
  let isObject = false;
  for await (const chunk of readText(path, onBytes)) {
    if (!parser && chunk.trim() === '') continue;
    isObject ||= !parser && chunk.trimStart().startsWith('{');
    parser ??= createListParser(chunk.trimStart()[0], (value) => values.push(value));
    if (!parser) break;
    parseMore(() => parser?.write(chunk));
    for (const { fields, left } of values) {
      number += 1;
      yield { ...toEntry(number, fields), left };
    }
    length = values.length === 0 ? length + chunk.length : 0;
    if (length > MAX_LINE_LENGTH) throw new CommandError(`Entry ${number + 1} of ${path} is too long.`);
    values = [];
  }
  if (!parser || (number === 0 && isObject)) throw new CommandError(`${path} must be a JSON array of agents.`);
  if (!parser.isEnded) parseMore(() => parser.end());

  function parseMore(parse: () => void): void {
    try {
      parse();
    } catch (cause) {
      throw new CommandError(`${path} is not valid JSON after its entry ${number + values.length}.`, { cause });
    }
  }
}

type Item = { fields: unknown; left?: Entry['left'] };

/** Creates the parser of an array, or of an object with a list of servers or agents; undefined for any other text. */
function createListParser(first: string | undefined, onEntry: (item: Item) => void): JSONParser | undefined {
  if (first !== '[' && first !== '{') return undefined;
  const paths = first === '[' ? ['$.*'] : listNames.map((name) => `$.${name}.*`);
  const parser = new JSONParser({ paths, keepStack: false });
  parser.onValue = ({ value }) =>
    onEntry(first === '{' && isServer(value) ? toServer(toObject(value)) : { fields: value });
  return parser;
}

/** Whether an entry is an MCP server, also one of before September 2025, which was not below `server`. */
function isServer(value: unknown): boolean {
  const entry = toObject(value);
  return typeof entry.server === 'object' || ['remotes', 'packages', 'version_detail'].some((name) => name in entry);
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
