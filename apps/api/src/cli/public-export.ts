import { createGzip } from 'node:zlib';
import { countOf, escapeInJson, toChangesCursor, type ListedAgent } from '@agent-registry/contracts';
import { createChangeStore, toFollowed, type ChangeStore } from '../changes/change-log.ts';
import { createAgentStore } from '../stores.ts';
import { writeFileAtomically } from '../write-file.ts';
import { CommandError, say, withDatabase, withProgress, type CommandContext } from './command.ts';
import { assertFree } from './files.ts';

/** Some readers of lines end them here, too. */
const LINE_SEPARATOR = /[\u2028\u2029]/g;
/** For the web server that serves the file. */
const READABLE_BY_ALL = 0o644;

/** Where the agents are, and where visitors reach the registry. */
type Source = {
  agents: { stream: () => AsyncIterable<ListedAgent[]> };
  changes: Pick<ChangeStore, 'end'>;
  publicUrl: string | undefined;
};

/** Writes the file with which mirrors can begin. */
export async function exportPublic(
  context: CommandContext,
  path: string,
  { overwrite }: { overwrite: boolean | undefined },
): Promise<void> {
  if (!path.endsWith('.ndjson.gz')) throw new CommandError('With --public the file must end in .ndjson.gz.');
  await assertFree(path, { overwrite });
  await withDatabase(context, async ({ engine }, { PUBLIC_URL: publicUrl }) => {
    const source = { agents: createAgentStore(engine), changes: createChangeStore(engine.db), publicUrl };
    const exported = await withProgress(context, 'Exporting', await source.agents.count(), (onAgents) =>
      writePublic(path, source, onAgents),
    );
    say(context, `Exported ${countOf(exported, 'agent')} to ${path}, without contact emails.`);
  });
}

/**
 * Writes all listed agents without the addresses of their owners, one a line of JSON, compressed. The first line has the
 * cursor of the change log with which a reader goes on.
 * @param onAgents called with the number of agents of each batch
 * @returns the number of agents
 */
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
