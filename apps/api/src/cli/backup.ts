import { totalOf } from '../agents/agent-store.ts';
import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import type { OpenDatabase } from '../db/open-database.ts';
import { countBackup, readBackup, writeBackup, type BackupCounts } from './backup-file.ts';
import { CommandError, countOf, say, withDatabase } from './command.ts';
import { assertFree } from './atomic-file.ts';
import { withProgress } from './progress.ts';

/** Writes all that cannot be made again into a file, as it is at one moment, and checks the file. */
export async function backup(path: string, { overwrite }: { overwrite?: boolean | undefined }): Promise<void> {
  await assertFree(path, { overwrite });
  await withDatabase(async ({ engine }) => {
    const agents = await createKyselyAgentStore(engine).count();
    const store = createKyselyOperatorStore(engine);
    const counts = await withProgress('Writing', agents + (await store.countHidden()), (advance) =>
      writeBackup(path, store.read(), { overwrite, onRecord: () => advance(1) }),
    );
    say(`Backed up ${describe(counts)} to ${path}, and read it again without a fault.`);
  });
}

/** Puts the content of a backup in place of what the database holds, once it is known to be whole. */
export async function restore(path: string, { overwrite = false }: { overwrite?: boolean | undefined }): Promise<void> {
  const counts = await countBackup(path);
  await withDatabase(async (database) => {
    if (!overwrite) await assertEmpty(database);
    await withProgress('Restoring', totalOf(counts), (advance) =>
      createKyselyOperatorStore(database.engine).replace(advancing(readBackup(path), advance)),
    );
    say(`Restored ${describe(counts)} from ${path}.`);
  }, 'new');
}

async function* advancing<Item>(items: AsyncIterable<Item>, advance: (amount: number) => void): AsyncGenerator<Item> {
  for await (const item of items) {
    advance(1);
    yield item;
  }
}

async function assertEmpty({ engine }: OpenDatabase): Promise<void> {
  const visible = await createKyselyAgentStore(engine).count();
  const hidden = await createKyselyOperatorStore(engine).countHidden();
  if (visible + hidden > 0) {
    throw new CommandError(
      `The database holds ${countOf(visible + hidden, 'agent')}; --overwrite puts the backup in their place.`,
    );
  }
}

function describe({ agent, hidden }: BackupCounts): string {
  return `${countOf(agent, 'agent')} and ${countOf(hidden, 'hidden agent')}`;
}
