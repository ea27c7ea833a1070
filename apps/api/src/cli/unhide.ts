import { changeSelected, type ChangeOptions } from './change-selected.ts';
import { CommandError, type CommandContext } from './command.ts';

/** Returns the selected hidden agents to the state in which they were: most are listed again. */
export function unhide(context: CommandContext, ids: readonly string[], options: ChangeOptions): Promise<void> {
  return changeSelected(context, ids, options, {
    command: 'unhide',
    async run(store, selection) {
      const agents = await store.unhide(selection);
      if (agents.length === 0 && ids.length === 1) {
        const { value: visible } = await store.streamVisible(selection).next();
        if (visible) throw new CommandError(`The agent ${visible.id} is not hidden.`);
      }
      return { agents };
    },
  });
}
