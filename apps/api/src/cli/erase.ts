import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { withDatabase, type CommandContext } from './command.ts';
import { readRequiredSelection, refuseWithoutYes, reportChange, type SelectionOptions } from './selection-options.ts';

/** What the command cannot do. */
const REMINDER =
  'Backups, exports and rejected entries of imports still have them: delete these files, or erase the agents again after a restore.';

/** Removes the selected agents for ever, with all that the database stores about them. */
export async function erase(
  context: CommandContext,
  ids: readonly string[],
  { yes, ...options }: SelectionOptions & { yes?: boolean },
): Promise<void> {
  const selection = await readRequiredSelection(ids, options);
  await withDatabase(context, async ({ engine }) => {
    const store = createKyselyOperatorStore(engine);
    if (!yes)
      return refuseWithoutYes(
        context,
        'erased for ever',
        store.streamVisible(selection),
        store.streamUnlisted(selection),
      );
    const agents = await store.erase(selection);
    reportChange(context, 'Erased', agents, selection, REMINDER);
  });
}
