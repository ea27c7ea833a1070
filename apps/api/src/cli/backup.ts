import { countOf } from '@agent-registry/contracts';
import { recordGlobalAction } from '../actions/record-of-actions.ts';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import {
  readActing,
  type ActingOptions,
  say,
  withDatabase,
  type CommandContext,
  CommandError,
  withProgress,
} from './command.ts';
import { assertFree } from './atomic-file.ts';
import { describeBackup, writeBackup, countBackup, readBackup } from './backup-file.ts';
import { totalOf } from '../agents/list-counts.ts';
import type { OpenDatabase } from '../db/open-database.ts';

/** Writes everything that the registry stores, as of one moment, to a file, verifies the file and records it. */
export async function backup(
  context: CommandContext,
  path: string,
  { overwrite, ...options }: ActingOptions & { overwrite?: boolean | undefined },
): Promise<void> {
  const acting = readActing('backup', options);
  await assertFree(path, { overwrite });
  await withDatabase(context, async ({ engine }) => {
    const agents = await createAgentStore(engine).count();
    const store = createOperatorStore(engine);
    const counts = await withProgress(context, 'Writing', agents + (await store.countUnlisted()), (advance) =>
      writeBackup(path, store.read(), { overwrite, onRecord: () => advance(1) }),
    );
    say(context, `Backed up ${describeBackup(counts)} to ${path} and verified the file.`);
    // The file is complete, also where the database takes nothing more.
    await recordGlobalAction(engine.db, acting).catch((error: Error) => {
      context.stderr.write(`The backup is not in the record of actions: ${error.message}\n`);
    });
  });
}

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
