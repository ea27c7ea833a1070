import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { countOf, describeLeft } from '@agent-registry/contracts';
import { inBatches } from '../operator/registry-records.ts';
import type { Addition } from '../operator/listings.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import { formatOf, type FileFormat } from './agent-file.ts';
import { BATCH, PAUSE } from '../sync/sync-plan.ts';
import type { Entry } from './files.ts';
import {
  readActing,
  CommandError,
  MAX_PRINTED,
  MAX_SHOWN,
  readCategories,
  toTerminalText,
  type CommandLine,
} from './command.ts';
import { createEntryReader, readMap, type ImportOptions, type ReadEntry } from './read-entries.ts';

/** The agents that were added, and the agents that an earlier import of the same entry had added. */
type ImportCounts = { added: number; repeated: number };

/** Adds the agents of a file. It can be repeated: an entry without an id gets one from its content, and is added once. */
export async function importAgents(
  context: CommandLine,
  path: string,
  { allOrNothing = false, dryRun = false, ...options }: ImportOptions,
): Promise<void> {
  const acting = readActing('import', options);
  const format = formatOf(path);
  const readEntry = createEntryReader(readCategories(context.loadConfig()), options);
  const { size } = await stat(path);
  if (size === 0) throw new CommandError(`${path} is empty.`);
  const readFile = async function* (advance: (bytes: number) => void) {
    for await (const entry of format.read(path, advance, readMap(options))) yield readEntry(entry);
  };
  if (dryRun)
    return showMapped(
      context,
      readFile(() => {}),
      format,
    );
  const rejected = createRejectedFile(context, path, format);
  let counts: ImportCounts = { added: 0, repeated: 0 };
  let left = 0;
  try {
    // The whole file is checked first, so that a file that cannot be read to its end changes nothing.
    await context.withProgress('Checking', size, async (advance) => {
      for await (const { entry, reason } of readFile(advance)) {
        if (reason !== undefined) await rejected.add(entry, reason);
        for (const part of entry.left ?? []) {
          left += 1;
          const text = toTerminalText(`Entry ${entry.number}: not taken: ${describeLeft(part)}`);
          if (left <= MAX_PRINTED) context.stderr.write(`${text}.\n`);
        }
      }
    });
    if (!allOrNothing || rejected.count === 0) {
      counts = await context.withDatabase(
        ({ engine }) =>
          context.withProgress('Importing', size, (advance) =>
            addAgents(createOperatorStore(engine, acting), readFile(advance), { allOrNothing, rejected }),
          ),
        { create: true },
      );
    }
  } finally {
    await rejected.close();
  }
  const { added, repeated } = counts;
  const others = repeated === 0 ? '' : ` ${countOf(repeated, 'agent was', 'agents were')} imported before.`;
  const parts = left === 0 ? '' : ` ${countOf(left, 'part was', 'parts were')} not taken.`;
  context.say(`Imported ${countOf(added, 'agent')} from ${path}.${others}${parts}`);
  if (rejected.count === 0) return;
  const [one, many] = format.unit === 'line' ? ['line was', 'lines were'] : ['entry was', 'entries were'];
  const refused = countOf(rejected.count, one, many);
  throw new CommandError(`${refused} refused. The reasons are in ${rejected.path}.`);
}

async function addAgents(
  store: OperatorStore,
  entries: AsyncIterable<ReadEntry>,
  { allOrNothing, rejected }: { allOrNothing: boolean; rejected: RejectedFile },
): Promise<ImportCounts> {
  const counts: ImportCounts = { added: 0, repeated: 0 };
  const addBatches = async (add: OperatorStore['add']) => {
    for await (const batch of inBatches(entries, BATCH)) {
      const valid = batch.filter((one) => one.agent !== undefined);
      if (valid.length === 0) continue;
      const additions = await add(valid.map(({ agent }) => agent));
      for (const [index, { entry, hasContentId }] of valid.entries()) {
        const addition = additions[index] as Addition;
        if (addition === 'added') counts.added += 1;
        else if (hasContentId) counts.repeated += 1;
        else await rejected.add(entry, reasons[addition]);
      }
      if (!allOrNothing) await wait(PAUSE);
    }
    return rejected.count === 0;
  };
  if (!allOrNothing) await addBatches((agents) => store.add(agents));
  else await store.addTogether(addBatches);
  return allOrNothing && rejected.count > 0 ? { added: 0, repeated: 0 } : counts;
}

const reasons: Record<Exclude<Addition, 'added'>, string> = {
  taken: 'Another agent has this id',
  hidden: 'A hidden agent has this id',
  held: 'An agent that is held has this id',
  refused: 'An agent that was refused has this id',
  withdrawn: 'A withdrawn agent has this id',
};

async function showMapped(
  context: CommandLine,
  entries: AsyncIterable<ReadEntry>,
  { unit }: FileFormat,
): Promise<void> {
  let [mapped, refused] = [0, 0];
  for await (const { entry, agent, reason } of entries) {
    if (agent) {
      mapped += 1;
      if (mapped <= MAX_SHOWN) context.sayJson(agent);
    } else {
      refused += 1;
      context.stderr.write(`${unit === 'line' ? 'Line' : 'Entry'} ${entry.number}: ${reason}.\n`);
    }
  }
  context.say(`${countOf(mapped, 'agent', 'agents')} would be imported, ${refused} refused. Nothing was changed.`);
}

type RejectedFile = ReturnType<typeof createRejectedFile>;

/** Creates the file of refused entries with the first one: NDJSON with the number, reason and original text of each. */
function createRejectedFile({ stderr }: CommandLine, importPath: string, { unit }: FileFormat) {
  let path = `${importPath}.rejected.ndjson`;
  let file: FileHandle | undefined;
  let count = 0;
  return {
    get path(): string {
      return path;
    },
    get count(): number {
      return count;
    },
    async add({ number, text }: Entry, reason: string): Promise<void> {
      count += 1;
      if (count <= MAX_PRINTED) stderr.write(`${unit === 'line' ? 'Line' : 'Entry'} ${number}: ${reason}.\n`);
      else if (count === MAX_PRINTED + 1) stderr.write(`More are in ${path}.\n`);
      try {
        file ??= await create();
        await file.appendFile(`${JSON.stringify({ [unit]: number, reason, text })}\n`);
      } catch (cause) {
        throw new CommandError(`${path} cannot be written: ${(cause as Error).message}.`, { cause });
      }
    },
    async close(): Promise<void> {
      await file?.close();
    },
  };

  /** Creates the file under the first free name, so that the file of an earlier import is kept. */
  async function create(): Promise<FileHandle> {
    for (let attempt = 2; ; attempt += 1) {
      try {
        return await open(path, 'wx', 0o600);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        path = `${importPath}.rejected-${attempt}.ndjson`;
      }
    }
  }
}
