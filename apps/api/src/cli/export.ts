import { createGzip } from 'node:zlib';
import {
  countOf,
  describeSources,
  escapeInJson,
  toChangesCursor,
  type Agent,
  type ListedAgent,
} from '@agent-registry/contracts';
import { withoutContact } from '../agents/list-pages.ts';
import { createChangeStore, toFollowed, type ChangeStore } from '../changes/change-log.ts';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import type { Engine } from '../db/engine.ts';
import { recordKinds } from '../db/record-kinds.ts';
import { inBatches } from '../db/records.ts';
import { readEntrySources } from '../operator/agent-sources.ts';
import { formatOf } from './agent-file.ts';
import { writeFileAtomically } from '../write-file.ts';
import { assertFree, onEach } from './files.ts';
import type { ExportedAgent } from './csv-file.ts';
import { CommandError, say, withDatabase, type CommandContext, withProgress } from './command.ts';

const NO_CONTACTS = 'With --public a file has no contact emails. Leave out --contacts.';
const BATCH = 200;

type ExportOptions = {
  overwrite?: boolean | undefined;
  /** Whether contact addresses are written even if the operator keeps them out of lists. */
  contacts?: boolean | undefined;
  /** Whether it is the file for mirrors. */
  public?: boolean | undefined;
};

/** Writes all visible agents to a file, in the order in which they were stored. */
export async function exportAgents(
  context: CommandContext,
  path: string,
  { overwrite, contacts = false, public: isPublic = false }: ExportOptions,
): Promise<void> {
  if (isPublic) {
    if (contacts) throw new CommandError(NO_CONTACTS);
    return exportPublic(context, path, overwrite);
  }
  const { write } = formatOf(path);
  if (!write) throw new CommandError(`The name of ${path} must end in .ndjson, .jsonl, .json or .csv.`);
  assertFree(path, overwrite);
  await withDatabase(context, async ({ engine }, { PUBLIC_CONTACT }) => {
    const hasContacts = contacts || PUBLIC_CONTACT === 'everywhere';
    let exported = 0;
    await withProgress(context, 'Exporting', await createAgentStore(engine).count(), (advance) => {
      const batches = inBatches(readVisible(createOperatorStore(engine)), BATCH);
      const counted = onEach(batches, ({ length }) => {
        exported += length;
        advance(length);
      });
      return writeFileAtomically(path, write(withSources(engine, hasContacts ? counted : withoutContactsOf(counted))));
    });
    const left = hasContacts
      ? ''
      : ' Contact emails were left out, because PUBLIC_CONTACT is page; --contacts adds them.';
    say(context, `Exported ${countOf(exported, 'agent')} to ${path}.${left}`);
  });
}

async function* withoutContactsOf(batches: AsyncIterable<ListedAgent[]>): AsyncGenerator<ListedAgent[], void> {
  for await (const batch of batches) yield batch.map(withoutContact);
}

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

/** Some readers of lines end them here, too. */
const LINE_SEPARATOR = /[\u2028\u2029]/g;
/** For the web server that serves the file. */
const READABLE_BY_ALL = 0o644;

type Source = {
  agents: { stream: () => AsyncIterable<ListedAgent[]> };
  changes: Pick<ChangeStore, 'end'>;
  publicUrl: string | undefined;
};

async function exportPublic(context: CommandContext, path: string, overwrite: boolean | undefined): Promise<void> {
  if (!path.endsWith('.ndjson.gz')) throw new CommandError('With --public the file must end in .ndjson.gz.');
  assertFree(path, overwrite);
  await withDatabase(context, async ({ engine }, { PUBLIC_URL: publicUrl }) => {
    const source = { agents: createAgentStore(engine), changes: createChangeStore(engine.db), publicUrl };
    const exported = await withProgress(context, 'Exporting', await source.agents.count(), (onAgents) =>
      writePublic(path, source, onAgents),
    );
    say(context, `Exported ${countOf(exported, 'agent')} to ${path}, without contact emails.`);
  });
}

/** Writes the listed agents as lines of JSON after one with the cursor of the change log; returns their number. */
export async function writePublic(
  path: string,
  { agents, changes, publicUrl }: Source,
  onAgents: (count: number) => void,
): Promise<number> {
  let count = 0;
  // Before the agents, so that what changes while they are read comes after the cursor.
  const cursor = toChangesCursor(await changes.end());
  await writeFileAtomically(path, toLines(), { through: createGzip(), mode: READABLE_BY_ALL });
  return count;

  async function* toLines(): AsyncGenerator<string, void, undefined> {
    yield `${JSON.stringify({ registry: publicUrl, cursor })}\n`;
    for await (const batch of agents.stream()) {
      const lines = batch.map((agent) => `${JSON.stringify(toFollowed(agent))}\n`);
      yield lines.join('').replaceAll(LINE_SEPARATOR, escapeInJson);
      count += batch.length;
      onAgents(batch.length);
    }
  }
}
