import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, createGzip, gunzipSync } from 'node:zlib';
import {
  escapeInJson,
  parseChangesCursor,
  toChangesCursor,
  type ChangesCursor,
  type ListedAgent,
} from '@agent-registry/contracts';
import { toFollowed, type ChangeStore } from '../changes/change-log.ts';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { writeFileAtomically } from '../write-file.ts';

/** The name of the dump in its folder. */
export const DUMP_FILE = 'dump.ndjson.gz';
/** How often a process looks whether a dump is due or has ended, in milliseconds. */
export const DUMP_INTERVAL = 600_000;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The time of day in UTC from which a dump is due, in milliseconds. */
const NIGHT = 3 * HOUR;
/** How long one process may write before another one tries, in milliseconds. */
const LEASE = HOUR;
/** The bytes of a dump that hold its first line. */
const BEGIN_SIZE = 4_096;
/** Some readers of lines end them here, too. */
const LINE_SEPARATOR = /[\u2028\u2029]/g;

/** The agents of a dump, and where they are. */
export type DumpSource = {
  agents: { stream: () => AsyncIterable<ListedAgent[]> };
  changes: Pick<ChangeStore, 'end'>;
  /** Where visitors reach the registry. */
  publicUrl: string | undefined;
};

/**
 * Writes all agents without the addresses of their owners, one a line of JSON, compressed. The first line has the cursor
 * of the change log with which a reader goes on.
 * @param onAgents called with the number of agents of each batch
 * @returns the number of agents
 */
export async function writeDump(
  path: string,
  { agents, changes, publicUrl }: DumpSource,
  { signal, onAgents }: { signal?: AbortSignal; onAgents?: (count: number) => void } = {},
): Promise<number> {
  let count = 0;
  // Before the agents, so that what changes while they are read comes after the cursor.
  const cursor = toChangesCursor(await changes.end());
  await writeFileAtomically(path, toLines(), { through: createGzip(), signal });
  return count;

  async function* toLines(): AsyncGenerator<string, void, undefined> {
    yield `${JSON.stringify({ registry: publicUrl, cursor })}\n`;
    for await (const batch of agents.stream()) {
      const lines = batch.map((agent) => `${JSON.stringify(toFollowed(agent))}\n`);
      yield lines.join('').replaceAll(LINE_SEPARATOR, escapeInJson);
      count += batch.length;
      onAgents?.(batch.length);
    }
  }
}

type Dump = {
  /** Whether all of its agents are listed, so that it may be served. */
  isCurrent: boolean;
  /** Whether it was made before the last night, or never. */
  isDue: boolean;
};

/**
 * Looks at the dump in a folder.
 * @param canEmpty whether a dump that has ended loses its content. The time of the file stays: its night has had a dump
 */
export async function findDump(
  folder: string,
  changes: Pick<ChangeStore, 'hasAllSince'>,
  { canEmpty = false } = {},
): Promise<Dump> {
  await using file = await open(join(folder, DUMP_FILE), canEmpty ? 'r+' : 'r').catch(() => undefined);
  if (!file) return { isCurrent: false, isDue: true };
  const cursor = await readCursor(file);
  const isCurrent = cursor !== undefined && (await changes.hasAllSince(cursor));
  const { atime, mtime, mtimeMs } = await file.stat();
  if (canEmpty && !isCurrent) {
    await file.truncate();
    await file.utimes(atime, mtime);
  }
  return { isCurrent, isDue: mtimeMs < Date.now() - sinceNight() };
}

/** The time until the next dump is due, in milliseconds. */
export function timeToNextDump({ isDue }: Dump): number {
  return isDue ? DUMP_INTERVAL : DAY - sinceNight();
}

/** The time since a dump became due, in milliseconds. */
function sinceNight(): number {
  return (Date.now() - NIGHT) % DAY;
}

type DumpOptions = DumpSource & {
  folder: string;
  changes: Pick<ChangeStore, 'end' | 'hasAllSince'>;
  rateLimitStore: Pick<RateLimitStore, 'increment'>;
};

/** Creates the task that makes the dump each night, in one of all processes, and empties it once an agent has left the list. */
export function createDumpJob({ folder, rateLimitStore, ...source }: DumpOptions) {
  const path = join(folder, DUMP_FILE);
  return async (signal: AbortSignal): Promise<void> => {
    const { isDue } = await findDump(folder, source.changes, { canEmpty: true });
    if (!isDue) return;
    const { used } = await rateLimitStore.increment(`dump ${path}`, 1, LEASE);
    if (used > 1) return;
    await writeDump(path, source, { signal }).catch((cause: Error) => {
      throw new Error(`The dump cannot be written into DUMP_DIR: ${cause.message}`, { cause });
    });
  };
}

/** Reads the cursor in the first line; undefined if the file is empty or no dump. */
async function readCursor(file: FileHandle): Promise<ChangesCursor | undefined> {
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGIN_SIZE), 0, BEGIN_SIZE, 0);
    const text = String(gunzipSync(buffer.subarray(0, bytesRead), { finishFlush: constants.Z_SYNC_FLUSH }));
    const { cursor } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { cursor: string };
    return parseChangesCursor(cursor);
  } catch {
    return undefined;
  }
}
