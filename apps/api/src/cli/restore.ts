import { countOf } from '@agent-registry/contracts';
import { totalOf } from '../agents/total-of.ts';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import type { OpenDatabase } from '../db/open-database.ts';
import { countBackup, describeBackup, readBackup } from './backup-file.ts';
import { readActing, type ActingOptions } from './acting.ts';
import { CommandError, say, withDatabase, type CommandContext } from './command.ts';
import { withProgress } from './progress.ts';

/** Replaces the content of the database with a backup, after verifying the backup. */
export async function restore(
  context: CommandContext,
  path: string,
  { overwrite = false, ...options }: ActingOptions & { overwrite?: boolean | undefined },
): Promise<void> {
  const acting = readActing('restore', options);
  const counts = await countBackup(path);
  await withDatabase(
    context,
    async (database) => {
      if (!overwrite) await assertEmpty(database);
      await withProgress(context, 'Restoring', totalOf(counts), (advance) =>
        createOperatorStore(database.engine, acting).replace(advancing(readBackup(path), advance)),
      );
      say(context, `Restored ${describeBackup(counts)} from ${path}.`);
    },
    'new',
  );
}

async function* advancing<Item>(items: AsyncIterable<Item>, advance: (amount: number) => void): AsyncGenerator<Item> {
  for await (const item of items) {
    advance(1);
    yield item;
  }
}

async function assertEmpty({ engine }: OpenDatabase): Promise<void> {
  const visible = await createAgentStore(engine).count();
  const unlisted = await createOperatorStore(engine).countUnlisted();
  if (visible + unlisted > 0) {
    throw new CommandError(`The database has ${countOf(visible + unlisted, 'agent')}. Replace them with --overwrite.`);
  }
}
