import {
  allAgentsRequestSchema,
  countOf,
  createFacetsRequestSchema,
  describeSources,
  type Agent,
  type Category,
  type ListedAgent,
} from '@agent-registry/contracts';
import { withoutContact, type ListRequest } from '../agents/agent-lists.ts';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import type { Engine } from '../db/engine.ts';
import { recordKinds } from '../db/record-kinds.ts';
import { inBatches } from '../db/records.ts';
import { readEntrySources } from '../operator/agent-sources.ts';
import { formatOf } from './agent-file.ts';
import { createChangeStore } from '../changes/change-log.ts';
import { writeDump } from '../dump/dump.ts';
import { writeFileAtomically } from '../write-file.ts';
import { assertFree, onEach } from './files.ts';
import { BYTE_ORDER_MARK, type ExportedAgent } from './csv-file.ts';
import { CommandError, readCategories, say, withDatabase, type CommandContext, withProgress } from './command.ts';

const NO_OPTIONS = 'With --public a file has all agents, without contact emails: it takes no option but --overwrite.';

/** Agents per batch. */
const BATCH = 200;

/** The options of an export: with those of a list, the agents of that list in its order. */
type ExportOptions = Partial<Record<keyof ListRequest, string>> & {
  overwrite?: boolean | undefined;
  /** Whether contact addresses are written even if the operator keeps them out of lists. */
  contacts?: boolean | undefined;
  /** Whether a CSV file begins with a byte order mark, without which Excel does not read UTF-8. */
  excel?: boolean | undefined;
  /** Whether it is the dump for mirrors. */
  public?: boolean | undefined;
};

/** Writes all visible agents to a file, in the order in which they were stored, or the agents of a list. */
export async function exportAgents(
  context: CommandContext,
  path: string,
  { overwrite, contacts = false, excel = false, public: isPublic = false, ...options }: ExportOptions,
): Promise<void> {
  if (isPublic) {
    if (contacts || excel || Object.keys(options).length > 0) throw new CommandError(NO_OPTIONS);
    return exportDump(context, path, { overwrite });
  }
  const { write } = formatOf(path);
  if (!write) throw new CommandError(`The name of ${path} must end in .ndjson, .jsonl, .json or .csv.`);
  if (excel && !path.toLowerCase().endsWith('.csv')) throw new CommandError('With --excel the file must end in .csv.');
  const list = parseList(options, readCategories(context.loadConfig()));
  await assertFree(path, { overwrite });
  await withDatabase(context, async ({ engine }, { PUBLIC_CONTACT }) => {
    const hasContacts = contacts || PUBLIC_CONTACT === 'everywhere';
    const agents = createAgentStore(engine);
    let exported = 0;
    await withProgress(context, 'Exporting', await agents.count(list), (advance) => {
      const batches = list ? agents.stream(list) : inBatches(readVisible(createOperatorStore(engine)), BATCH);
      const counted = onEach(batches, ({ length }) => {
        exported += length;
        advance(length);
      });
      const text = write(withSources(engine, hasContacts ? counted : withoutContactsOf(counted)));
      return writeFileAtomically(path, excel ? withByteOrderMark(text) : text);
    });
    const left = hasContacts
      ? ''
      : ' Contact emails were left out, because PUBLIC_CONTACT is page; --contacts adds them.';
    say(context, `Exported ${countOf(exported, 'agent')} to ${path}.${left}`);
  });
}

/** Writes the dump for mirrors. */
async function exportDump(
  context: CommandContext,
  path: string,
  { overwrite }: Pick<ExportOptions, 'overwrite'>,
): Promise<void> {
  if (!path.endsWith('.ndjson.gz')) throw new CommandError('With --public the file must end in .ndjson.gz.');
  await assertFree(path, { overwrite });
  await withDatabase(context, async ({ engine }, { PUBLIC_URL: publicUrl }) => {
    const source = { agents: createAgentStore(engine), changes: createChangeStore(engine.db), publicUrl };
    const exported = await withProgress(context, 'Exporting', await source.agents.count(), (onAgents) =>
      writeDump(path, source, { onAgents }),
    );
    say(context, `Exported ${countOf(exported, 'agent')} to ${path}, without contact emails.`);
  });
}

function parseList(options: object, categories: readonly Category[]): ListRequest | undefined {
  if (Object.keys(options).length === 0) return undefined;
  const { data, error } = createFacetsRequestSchema(categories)
    .omit({ q: true, correct: true })
    .extend({ sort: allAgentsRequestSchema.shape.sort })
    .safeParse(options);
  if (data === undefined) throw new CommandError(`${error.issues[0]?.message}.`);
  return data;
}

async function* withByteOrderMark(text: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield BYTE_ORDER_MARK;
  yield* text;
}

async function* withoutContactsOf(batches: AsyncIterable<ListedAgent[]>): AsyncGenerator<ListedAgent[], void> {
  for await (const batch of batches) yield batch.map(withoutContact);
}

/** Adds from where agents were imported. */
async function* withSources(
  { db }: Engine,
  batches: AsyncIterable<readonly ListedAgent[]>,
): AsyncGenerator<ExportedAgent[], void> {
  for await (const batch of batches) {
    const sources = await readEntrySources(
      db,
      batch.map(({ id }) => id),
    );
    yield batch.map((agent) => {
      const own = sources.get(agent.id);
      return own ? { ...agent, importedFrom: describeSources(own).join('; ') } : agent;
    });
  }
}

/** Reads the listed agents, which come first of all records, between those that are not listed. */
export async function* readVisible(store: Pick<OperatorStore, 'read'>): AsyncGenerator<Agent, void> {
  for await (const record of store.read()) {
    if (record.kind in recordKinds) break;
    if (record.kind === 'agent') yield record.agent;
  }
}
