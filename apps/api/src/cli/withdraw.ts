import { readActing, type ActingOptions } from './acting.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { withDatabase, type CommandContext } from './command.ts';
import { reportChange } from './change-selected.ts';
import { readRequiredSelection } from './selection-options.ts';

/** Withdraws agents as their owners can. */
export async function withdraw(context: CommandContext, ids: readonly string[], options: ActingOptions): Promise<void> {
  const acting = readActing('withdraw', options);
  const selection = await readRequiredSelection(ids, {});
  await withDatabase(context, async ({ engine }) => {
    const agents = await createKyselyOperatorStore(engine, acting).withdraw(selection);
    reportChange(
      context,
      'Withdrawn',
      agents,
      selection,
      'They can be restored for 30 days: registry restore-agent <id...>',
    );
  });
}

/** Lists withdrawn agents again. */
export async function restoreAgent(
  context: CommandContext,
  ids: readonly string[],
  options: ActingOptions,
): Promise<void> {
  const acting = readActing('restore-agent', options);
  const selection = await readRequiredSelection(ids, {});
  await withDatabase(context, async ({ engine }) => {
    reportChange(context, 'Restored', await createKyselyOperatorStore(engine, acting).restore(selection), selection);
  });
}
