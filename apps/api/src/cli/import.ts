import { randomUUID } from 'node:crypto';
import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { importedAgentSchema, type Agent } from '@agent-registry/contracts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import type { Addition, OperatorStore } from '../agents/operator-store.ts';
import { formatOf, type Entry, type FileFormat } from './agent-file.ts';
import { CommandError, countOf, say, withDatabase } from './command.ts';
import { withProgress } from './progress.ts';

/** How many agents are stored in one transaction, which holds others up for some 0.1 s. */
const BATCH = 200;
/** How long others have their turn between two transactions, in milliseconds: SQLite asks again at least so often. */
const PAUSE = 30;
/** Of how many bad entries the operator is told at once; the others are in the file. */
const MAX_TOLD = 20;

/** An agent of a file, and where it is in it. */
type Candidate = { entry: Entry; agent: Agent };

/**
 * Adds the agents of a file. Entries that cannot be added are told, with their numbers and reasons, and set aside in a file
 * beside it.
 * @throws {CommandError} when some were set aside, after the others were added, or none with `allOrNothing`.
 */
export async function importAgents(
  path: string,
  { allOrNothing = false }: { allOrNothing?: boolean | undefined },
): Promise<void> {
  const format = formatOf(path);
  const { size } = await stat(path);
  const rejected = await openRejected(path, format);
  let added = 0;
  try {
    // Once through the whole file before anything is written: what is no file of agents at all changes nothing.
    await withProgress('Checking', size, async (advance) => {
      for await (const entry of format.read(path, advance)) {
        const { reason } = readEntry(entry);
        if (reason !== undefined) await rejected.add(entry, reason);
      }
    });
    if (!allOrNothing || rejected.count === 0) {
      added = await withDatabase(
        ({ engine }) =>
          withProgress('Importing', size, async (advance) => {
            const batches = readBatches(format.read(path, advance));
            return addAgents(createKyselyOperatorStore(engine), batches, { allOrNothing, rejected });
          }),
        'new',
      );
    }
  } finally {
    await rejected.close();
  }
  say(`Imported ${countOf(added, 'agent')} from ${path}.`);
  if (rejected.count === 0) return;
  const refused =
    format.unit === 'line'
      ? countOf(rejected.count, 'line was', 'lines were')
      : countOf(rejected.count, 'entry was', 'entries were');
  throw new CommandError(`${refused} refused, with the reasons in ${rejected.path}.`);
}

async function addAgents(
  store: OperatorStore,
  batches: AsyncIterable<Candidate[]>,
  { allOrNothing, rejected }: { allOrNothing: boolean; rejected: Rejected },
): Promise<number> {
  let added = 0;
  const addBatches = async (add: OperatorStore['add']) => {
    for await (const batch of batches) {
      const additions = await add(batch.map(({ agent }) => agent));
      for (const [index, { entry }] of batch.entries()) {
        const addition = additions[index] as Addition;
        if (addition === 'added') added += 1;
        else await rejected.add(entry, reasons[addition]);
      }
      if (!allOrNothing) await wait(PAUSE);
    }
    return rejected.count === 0;
  };
  if (!allOrNothing) await addBatches((agents) => store.add(agents));
  else await store.addTogether(addBatches);
  return allOrNothing && rejected.count > 0 ? 0 : added;
}

const reasons: Record<Exclude<Addition, 'added'>, string> = {
  taken: 'There is an agent with this id already',
  hidden: 'There is a hidden agent with this id',
};

async function* readBatches(entries: AsyncIterable<Entry>): AsyncGenerator<Candidate[], void, undefined> {
  let batch: Candidate[] = [];
  for await (const entry of entries) {
    const { agent } = readEntry(entry);
    if (!agent) continue;
    batch.push({ entry, agent });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function readEntry({ value, fault }: Entry): { agent: Agent; reason?: never } | { agent?: never; reason: string } {
  if (fault !== undefined) return { reason: fault };
  const { data, error } = importedAgentSchema.safeParse(value);
  if (!data) return { reason: [...new Set(error.issues.map(({ message }) => message))].join('; ') };
  const { id = randomUUID(), createdAt = new Date().toISOString(), ...rest } = data;
  return { agent: { id, ...rest, createdAt } };
}

/** The entries of a file that were not added. */
type Rejected = {
  /** The file in which they are set aside: a line of JSON each, with number, reason, and text as it was. */
  path: string;
  readonly count: number;
  /** @throws {CommandError} when the file cannot be written. */
  add(entry: Entry, reason: string): Promise<void>;
  close(): Promise<void>;
};

async function openRejected(path: string, { unit }: FileFormat): Promise<Rejected> {
  const rejectedPath = `${path}.rejected.ndjson`;
  // What an earlier import has set aside would be taken for this one's.
  await rm(rejectedPath, { force: true });
  let file: FileHandle | undefined;
  let count = 0;
  return {
    path: rejectedPath,
    get count() {
      return count;
    },
    async add({ number, text }, reason) {
      count += 1;
      if (count <= MAX_TOLD) process.stderr.write(`${unit === 'line' ? 'Line' : 'Entry'} ${number}: ${reason}.\n`);
      else if (count === MAX_TOLD + 1) process.stderr.write(`More are in ${rejectedPath}.\n`);
      try {
        file ??= await open(rejectedPath, 'w', 0o600);
        await file.appendFile(`${JSON.stringify({ [unit]: number, reason, text })}\n`);
      } catch (cause) {
        throw new CommandError(`${rejectedPath} cannot be written: ${(cause as Error).message}.`, { cause });
      }
    },
    async close() {
      await file?.close();
    },
  };
}
