import { createGzip } from 'node:zlib';
import { countOf, describeSources, escapeInJson, toChangesCursor, type ListedAgent } from '@agent-registry/contracts';
import type { StoredAgent } from '../agents/agent-rows.ts';
import { countAgents } from '../agents/list-counts.ts';
import { withoutContact } from '../agents/list-pages.ts';
import { selectAgents } from '../agents/select-agents.ts';
import { createChangeStore, toFollowed, type ChangeStore } from '../changes/change-log.ts';
import { createAgentStore } from '../stores.ts';
import type { Engine } from '../db/engine.ts';
import { inBatches } from '../operator/registry-records.ts';
import { readEntrySources } from '../operator/agent-sources.ts';
import { formatOf } from './agent-file.ts';
import { writeFileAtomically } from '../write-file.ts';
import { assertFree, onEach } from './files.ts';
import type { ExportedAgent } from './csv-file.ts';
import { CommandError, type CommandLine } from './command.ts';

const NO_CONTACTS = 'With --public a file has no contact emails. Leave out --contacts.';
const BATCH = 200;

type ExportOptions = {
  overwrite?: boolean | undefined;
  /** Whether contact addresses are written even if the operator keeps them out of lists. */
  contacts?: boolean | undefined;
  public?: boolean | undefined;
};

export async function exportAgents(
  context: CommandLine,
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
  await context.withDatabase(async ({ engine }, { PUBLIC_CONTACT }) => {
    const hasContacts = contacts || PUBLIC_CONTACT === 'everywhere';
    let exported = 0;
    await context.withProgress('Exporting', await countAgents(engine), (advance) => {
      const batches = onEach(inBatches(selectAgents(engine.db, {}, ['listed']), BATCH), ({ length }) => {
        exported += length;
        advance(length);
      });
      return writeFileAtomically(path, write(describeAgents(engine, batches, hasContacts)));
    });
    const left = hasContacts
      ? ''
      : ' Contact emails were left out, because PUBLIC_CONTACT is page; --contacts adds them.';
    context.say(`Exported ${countOf(exported, 'agent')} to ${path}.${left}`);
  });
}

async function* describeAgents(
  { db }: Engine,
  batches: AsyncIterable<readonly StoredAgent[]>,
  hasContacts: boolean,
): AsyncGenerator<ExportedAgent[], void> {
  for await (const batch of batches) {
    const sources = await readEntrySources(
      db,
      batch.map(({ agent }) => agent.id),
    );
    yield batch.map(({ agent }) => {
      const own = sources.get(agent.id);
      return {
        ...(hasContacts ? agent : withoutContact(agent)),
        ...(own && { importedFrom: describeSources(own).join('; ') }),
      };
    });
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

async function exportPublic(context: CommandLine, path: string, overwrite: boolean | undefined): Promise<void> {
  if (!path.endsWith('.ndjson.gz')) throw new CommandError('With --public the file must end in .ndjson.gz.');
  assertFree(path, overwrite);
  await context.withDatabase(async ({ engine }, { PUBLIC_URL: publicUrl }) => {
    const source = { agents: createAgentStore(engine), changes: createChangeStore(engine.db), publicUrl };
    const exported = await context.withProgress('Exporting', await source.agents.count(), (onAgents) =>
      writePublic(path, source, onAgents),
    );
    context.say(`Exported ${countOf(exported, 'agent')} to ${path}, without contact emails.`);
  });
}

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
