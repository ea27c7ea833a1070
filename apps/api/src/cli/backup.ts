import { recordGlobalAction } from '../actions/record-of-actions.ts';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { readActing, type ActingOptions } from './acting.ts';
import { assertFree } from './atomic-file.ts';
import { describeBackup, writeBackup } from './backup-file.ts';
import { say, withDatabase, type CommandContext } from './command.ts';
import { withProgress } from './progress.ts';

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
