import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import type { OpenDatabase } from '../db/open-database.ts';
import { countAll, countBackup, readBackup, writeBackup, type BackupCounts } from './backup-file.ts';
import { CommandError, countOf, say, withDatabase } from './command.ts';
import { assertFree } from './new-file.ts';
import { showProgress } from './progress.ts';

/** Writes all that cannot be made again into a file, as it is at one moment, and checks the file. */
export async function backup(path: string, { overwrite }: { overwrite?: boolean | undefined }): Promise<void> {
  await assertFree(path, { overwrite });
  await withDatabase(async ({ engine }) => {
    const agents = await createKyselyAgentStore(engine).count();
    const store = createKyselyOperatorStore(engine);
    const progress = showProgress('Writing', agents + (await store.countHidden()));
    try {
      const counts = await writeBackup(path, store.read(), { overwrite, onRecord: () => progress.advance(1) });
      progress.end();
      say(`Backed up ${describe(counts)} to ${path}, and read it again without a fault.`);
    } finally {
      progress.end();
    }
  });
}

/** Puts the content of a backup in place of what the database holds, once it is known to be whole. */
export async function restore(path: string, { overwrite = false }: { overwrite?: boolean | undefined }): Promise<void> {
  const counts = await countBackup(path);
  await withDatabase(async (database) => {
    if (!overwrite) await assertEmpty(database);
    const progress = showProgress('Restoring', countAll(counts));
    try {
      await createKyselyOperatorStore(database.engine).replace(advancing());
    } finally {
      progress.end();
    }
    say(`Restored ${describe(counts)} from ${path}.`);

    async function* advancing() {
      for await (const record of readBackup(path)) {
        progress.advance(1);
        yield record;
      }
    }
  }, 'new');
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
