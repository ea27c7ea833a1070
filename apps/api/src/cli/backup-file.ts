import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { agentSchema } from '@agent-registry/contracts';
import { z } from 'zod';
import { totalOf } from '../agents/agent-store.ts';
import type { RegistryRecord } from '../agents/operator-store.ts';
import { CommandError } from './command.ts';
import { readLines } from './lines.ts';
import { writeNewFile } from './atomic-file.ts';

const FORMAT = 'agent-registry-backup';
/** The version of the form that is written; a file of a later one is refused. */
const VERSION = 1;
/** How many lines are handed on at a time. */
const LINES_PER_CHUNK = 200;

const headerSchema = z.object({ format: z.literal(FORMAT), version: z.int(), createdAt: z.string() });
const endSchema = z.object({ kind: z.literal('end'), records: z.int(), sha256: z.string() });
const recordSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('agent'), agent: agentSchema }),
  z.object({ kind: z.literal('hidden'), agent: agentSchema, reason: z.string(), hiddenAt: z.string() }),
  z.object({ kind: z.literal('views'), day: z.string(), views: z.int() }),
  z.object({ kind: z.literal('registration'), key: z.string(), agent: agentSchema, createdAt: z.string() }),
]);
const lineSchema = z.union([recordSchema, endSchema]);

/** How many records of each kind a backup has. */
export type BackupCounts = Record<RegistryRecord['kind'], number>;

/**
 * Writes records into a compressed file of lines of JSON, between a line that says what it is and one with the number and
 * the SHA-256 of all before it; then reads it again from the disk and holds it against what was written.
 * @throws {CommandError} when there is a file that may not be replaced, or the new one cannot be read again.
 */
export async function writeBackup(
  path: string,
  records: AsyncIterable<RegistryRecord>,
  { overwrite, onRecord }: { overwrite?: boolean | undefined; onRecord: () => void },
): Promise<BackupCounts> {
  const written = noRecords();
  await writeNewFile(path, toLines(), {
    overwrite,
    through: createGzip({ level: constants.Z_BEST_SPEED }),
    verify: async (partial) => {
      const read = await countBackup(partial, path);
      if (JSON.stringify(read) !== JSON.stringify(written)) throw damaged(path, 'it has not all that was written');
    },
  });
  return written;

  async function* toLines(): AsyncGenerator<string, void, undefined> {
    const hash = createHash('sha256');
    let lines = [toLine({ format: FORMAT, version: VERSION, createdAt: new Date().toISOString() })];
    const flush = () => {
      const chunk = lines.join('');
      lines = [];
      hash.update(chunk);
      return chunk;
    };
    for await (const record of records) {
      written[record.kind] += 1;
      lines.push(toLine(record));
      onRecord();
      if (lines.length >= LINES_PER_CHUNK) yield flush();
    }
    yield flush();
    yield toLine({ kind: 'end', records: totalOf(written), sha256: hash.digest('hex') });
  }
}

/**
 * Reads the records of a backup, each checked.
 * @param name what the file is called in messages
 * @throws {CommandError} when the file is no backup, of a newer version, cut off or changed.
 */
export async function* readBackup(path: string, name = path): AsyncGenerator<RegistryRecord, void, undefined> {
  const hash = createHash('sha256');
  const read = new Set<string>();
  let isFirst = true;
  let isComplete = false;
  try {
    for await (const { number, bytes } of readLines(unzip(path))) {
      const line = parse(bytes);
      if (isFirst) {
        assertHeader(name, line);
        isFirst = false;
        hash.update(bytes).update('\n');
        continue;
      }
      const { data } = lineSchema.safeParse(line);
      if (!data || isComplete) throw damaged(name, `its line ${number} is not as it was written`);
      if (data.kind === 'end') {
        if (data.records !== read.size || data.sha256 !== hash.digest('hex')) {
          throw damaged(name, 'it is not as it was written');
        }
        isComplete = true;
        continue;
      }
      const identity = identify(data);
      if (read.has(identity)) throw damaged(name, `its line ${number} repeats another`);
      read.add(identity);
      hash.update(bytes).update('\n');
      yield data;
    }
  } catch (cause) {
    const { code = '' } = cause as { code?: string };
    if (code === 'Z_DATA_ERROR' && isFirst) throw new CommandError(`${name} is not a backup of a registry.`, { cause });
    if (code.startsWith('Z_')) throw damaged(name, 'it is cut off or was changed', cause);
    throw cause;
  }
  if (!isComplete) throw damaged(name, 'its end is missing');
}

/**
 * Reads a backup to its end, and counts what is in it.
 * @throws {CommandError} as `readBackup`.
 */
export async function countBackup(path: string, name = path): Promise<BackupCounts> {
  const counts = noRecords();
  for await (const { kind } of readBackup(path, name)) counts[kind] += 1;
  return counts;
}

/** What no two records of a registry have in common. */
function identify(record: RegistryRecord): string {
  switch (record.kind) {
    case 'agent':
    case 'hidden':
      return record.agent.id;
    case 'views':
      return record.day;
    case 'registration':
      // Chosen by a client, and perhaps like one of the others.
      return `registration ${record.key}`;
  }
}

function noRecords(): BackupCounts {
  return { agent: 0, hidden: 0, views: 0, registration: 0 };
}

function toLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function unzip(path: string): AsyncIterable<Buffer> {
  // What fails on the way is thrown to whoever reads.
  return pipeline(createReadStream(path), createGunzip(), () => {});
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function assertHeader(path: string, line: unknown): void {
  const { data } = headerSchema.safeParse(line);
  if (!data) throw new CommandError(`${path} is not a backup of a registry.`);
  if (data.version > VERSION) throw new CommandError(`${path} was written by a newer version of Agent Registry.`);
}

function damaged(path: string, reason: string, cause?: unknown): CommandError {
  return new CommandError(`The backup ${path} cannot be used: ${reason}.`, { cause });
}
