import { changeSelected, type ChangeOptions } from './change-selected.ts';
import { CommandError, toTerminalText, type CommandContext } from './command.ts';
import { parseReason } from '../actions/acting.ts';

/** Hides the selected agents, in whatever state they are, from visitors and their owners. */
export async function hide(
  context: CommandContext,
  ids: readonly string[],
  options: ChangeOptions & { reason: string },
): Promise<void> {
  const reason = parseReason(options.reason);
  return changeSelected(context, ids, options, {
    command: 'hide',
    async run(store, selection) {
      const { agents, hiddenAt } = await store.hide(selection, reason);
      if (agents.length === 0 && ids.length === 1) {
        const { value: earlier } = await store.streamUnlisted(selection, 'hidden').next();
        if (earlier) {
          throw new CommandError(
            `The agent ${earlier.agent.id} is hidden already, since ${earlier.since}: ${toTerminalText(earlier.reason)}`,
          );
        }
      }
      const hint = `To show them again: registry unhide --yes --hidden-at ${hiddenAt}`;
      return { agents, hint: agents.length > 1 ? hint : undefined };
    },
  });
}
