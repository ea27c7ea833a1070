import type { CommandContext } from './command.ts';
import { changeSelected, type ChangeOptions } from './change-selected.ts';

/** What the command cannot do. */
const REMINDER =
  'Backups, exports and rejected entries of imports still have them: delete these files, or erase the agents again after a restore.';

/** Removes the selected agents for ever, with all that the database stores about them. */
export function erase(context: CommandContext, ids: readonly string[], options: ChangeOptions): Promise<void> {
  return changeSelected(context, ids, options, {
    command: 'delete',
    isFinal: true,
    run: async (store, selection) => ({ agents: await store.erase(selection), hint: REMINDER }),
  });
}
