import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { countOf } from '@agent-registry/contracts';
import { z } from 'zod';
import { countAgents, totalOf } from '../agents/list-counts.ts';
import type { Engine } from '../db/engine.ts';
import { kindNames, lineSchema, type RegistryRecord } from '../db/record-kinds.ts';
import { identify } from '../db/records.ts';
import { inBatches } from '../operator/registry-records.ts';
import { SCHEMA } from '../db/schema/create-schema.ts';
import { writeFileAtomically } from '../write-file.ts';
import { assertFree, onEach, readLines } from './files.ts';
import { CommandError, readActing, type ActingOptions, toTerminalText, type CommandLine } from './command.ts';
import { recordAction } from '../actions/record-of-actions.ts';
import { createOperatorStore } from '../operator/operator-store.ts';

const FORMAT = 'agent-registry-backup';
const VERSION = 1;
const LINES_PER_CHUNK = 200;
/** The kinds of records that earlier versions wrote and this one has no more: a restore skips them. */
const formerKinds: ReadonlySet<unknown> = new Set(['figures', 'refused-event', 'website-host']);

const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  createdAt: z.string(),
  migrations: z.array(z.string()),
});

type BackupCounts = Record<RegistryRecord['kind'], number>;

/** Writes records as compressed NDJSON, between a header and a line with their number and SHA-256, and verifies the file. */
export async function writeBackup(
  path: string,
  records: AsyncIterable<RegistryRecord>,
  { overwrite, onRecords }: { overwrite?: boolean | undefined; onRecords: (count: number) => void },
): Promise<BackupCounts> {
  assertFree(path, overwrite);
  const written = noRecords();
  await writeFileAtomically(path, toLines(), {
    through: createGzip({ level: constants.Z_BEST_SPEED }),
    verify: async (partial) => {
      const read = await countBackup(partial, path);
      if (JSON.stringify(read) !== JSON.stringify(written)) throw damaged(path, 'it is incomplete');
    },
  });
  return written;

  async function* toLines(): AsyncGenerator<string, void, undefined> {
    const hash = createHash('sha256');
    const write = (lines: readonly object[]) => {
      const chunk = lines.map(toLine).join('');
      hash.update(chunk);
      return chunk;
    };
    yield write([{ format: FORMAT, version: VERSION, createdAt: new Date().toISOString(), migrations: [SCHEMA] }]);
    for await (const batch of inBatches(records, LINES_PER_CHUNK)) {
      for (const { kind } of batch) written[kind] += 1;
      onRecords(batch.length);
      yield write(batch);
    }
    yield toLine({ kind: 'end', records: totalOf(written), sha256: hash.digest('hex') });
  }
}

/**
 * Reads and validates the records of a backup, of any schema.
 * @param name the name of the file in messages
 * @param skipped kinds of records that are not returned
 */
export async function* readBackup(
  path: string,
  name = path,
  skipped = formerKinds,
): AsyncGenerator<RegistryRecord, void, undefined> {
  const hash = createHash('sha256');
  const read = new Set<string>();
  let isFirst = true;
  let isComplete = false;
  try {
    for await (const { number, bytes } of readLines(unzip(path), name)) {
      const line = parse(bytes);
      const { kind } = (line ?? {}) as { kind?: unknown };
      if (isFirst || (skipped.has(kind) && !isComplete)) {
        if (isFirst) assertHeader(name, line);
        else read.add(`line ${number}`);
        isFirst = false;
        hash.update(bytes).update('\n');
        continue;
      }
      const { data, error } = lineSchema.safeParse(line);
      const unknown = error?.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])) ?? [];
      if (unknown.length > 0) throw tooNew(name, `the field ${unknown.join(', ')} in line ${number}`);
      if (isUnknownKind(kind)) throw tooNew(name, `the kind ${kind} of line ${number}`);
      if (!data || isComplete) throw damaged(name, `line ${number} is not valid`);
      if (data.kind === 'end') {
        if (data.records !== read.size || data.sha256 !== hash.digest('hex')) {
          throw damaged(name, 'it was changed');
        }
        isComplete = true;
        continue;
      }
      const identity = identify(data);
      if (read.has(identity)) throw damaged(name, `line ${number} repeats another record`);
      read.add(identity);
      hash.update(bytes).update('\n');
      yield data;
    }
  } catch (cause) {
    const { code = '' } = cause as { code?: string };
    if (code === 'Z_DATA_ERROR' && isFirst) throw new CommandError(`${name} is not a backup of a registry.`, { cause });
    if (code.startsWith('Z_')) throw damaged(name, 'it is incomplete or was changed', cause);
    throw cause;
  }
  if (!isComplete) throw damaged(name, 'its last line is missing');
}

export async function countBackup(path: string, name = path): Promise<BackupCounts> {
  const counts = noRecords();
  for await (const { kind } of readBackup(path, name)) counts[kind] += 1;
  return counts;
}

/** Describes the agents of a backup, such as `3 agents and 1 hidden agent`. */
function describeBackup({ agent, hidden, held, refused, withdrawn }: BackupCounts): string {
  const others = { held, refused, withdrawn };
  const rest = Object.entries(others).flatMap(([state, count]) => (count > 0 ? countOf(count, `${state} agent`) : []));
  return new Intl.ListFormat('en-GB').format([countOf(agent, 'agent'), countOf(hidden, 'hidden agent'), ...rest]);
}

function noRecords(): BackupCounts {
  return Object.fromEntries(kindNames.map((kind) => [kind, 0])) as BackupCounts;
}

function toLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function unzip(path: string): AsyncIterable<Buffer> {
  // Errors reach the reader of the returned stream.
  return pipeline(createReadStream(path), createGunzip(), () => {});
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function isUnknownKind(kind: unknown): kind is string {
  return typeof kind === 'string' && kind !== 'end' && !kindNames.some((known) => known === kind);
}

function assertHeader(path: string, line: unknown): void {
  const { data } = headerSchema.safeParse(line);
  if (!data) throw new CommandError(`${path} is not a backup of a registry.`);
  if (data.version > VERSION) throw tooNew(path, `version ${data.version} of backups`);
}

function tooNew(path: string, unknown: string): CommandError {
  return new CommandError(
    `${path} was written by a newer version of Agent Registry: this version does not know ${toTerminalText(unknown)}.`,
  );
}

function damaged(path: string, reason: string, cause?: unknown): CommandError {
  return new CommandError(`The backup ${path} is damaged: ${reason}.`, { cause });
}

export async function backup(
  context: CommandLine,
  path: string,
  { overwrite, ...options }: ActingOptions & { overwrite?: boolean | undefined },
): Promise<void> {
  const acting = readActing('backup', options);
  assertFree(path, overwrite);
  await context.withDatabase(async ({ engine }) => {
    const counts = await context.withProgress('Writing', await countStored(engine), (advance) =>
      writeBackup(path, createOperatorStore(engine).read(), { overwrite, onRecords: advance }),
    );
    context.say(`Backed up ${describeBackup(counts)} to ${path} and verified the file.`);
    // The file is complete, also where the database takes nothing more.
    await recordAction(engine.db, acting).catch((error: Error) => {
      context.stderr.write(`The backup is not in the record of actions: ${error.message}\n`);
    });
  });
}

export async function restore(
  context: CommandLine,
  path: string,
  { overwrite = false, ...options }: ActingOptions & { overwrite?: boolean | undefined },
): Promise<void> {
  const acting = readActing('restore', options);
  const counts = await countBackup(path);
  await context.withDatabase(
    async ({ engine }) => {
      const stored = overwrite ? 0 : await countStored(engine);
      if (stored > 0) {
        throw new CommandError(`The database has ${countOf(stored, 'agent')}. Replace them with --overwrite.`);
      }
      await context.withProgress('Restoring', totalOf(counts), (advance) =>
        createOperatorStore(engine, acting).replace(onEach(readBackup(path), () => advance(1))),
      );
      context.say(`Restored ${describeBackup(counts)} from ${path}.`);
    },
    { create: true },
  );
}

async function countStored(engine: Engine): Promise<number> {
  return (await countAgents(engine)) + (await createOperatorStore(engine).countUnlisted());
}
