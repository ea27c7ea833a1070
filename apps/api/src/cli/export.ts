import { countOf, describeSources, type Agent, type ListedAgent } from '@agent-registry/contracts';
import { withoutContact } from '../agents/list-pages.ts';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import type { Engine } from '../db/engine.ts';
import { recordKinds } from '../db/record-kinds.ts';
import { inBatches } from '../db/records.ts';
import { readEntrySources } from '../operator/agent-sources.ts';
import { formatOf } from './agent-file.ts';
import { writeFileAtomically } from '../write-file.ts';
import { assertFree, onEach } from './files.ts';
import { exportPublic } from './public-export.ts';
import type { ExportedAgent } from './csv-file.ts';
import { CommandError, say, withDatabase, type CommandContext, withProgress } from './command.ts';

const NO_CONTACTS = 'With --public a file has no contact emails. Leave out --contacts.';

/** Agents per batch. */
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
    return exportPublic(context, path, { overwrite });
  }
  const { write } = formatOf(path);
  if (!write) throw new CommandError(`The name of ${path} must end in .ndjson, .jsonl, .json or .csv.`);
  await assertFree(path, { overwrite });
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
