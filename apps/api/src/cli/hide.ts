import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { CommandError, toTerminalText, withDatabase, type CommandContext } from './command.ts';
import {
  hasOptions,
  parseReason,
  readRequiredSelection,
  refuseWithoutYes,
  reportChange,
  type SelectionOptions,
} from './selection-options.ts';

/** Hides the selected agents, in whatever state they are, from visitors and their owners. */
export async function hide(
  context: CommandContext,
  ids: readonly string[],
  { reason: reasonText, yes, ...options }: SelectionOptions & { reason: string; yes?: boolean },
): Promise<void> {
  const selection = await readRequiredSelection(ids, options);
  const reason = parseReason(reasonText);
  await withDatabase(context, async ({ engine }) => {
    const store = createKyselyOperatorStore(engine);
    if (hasOptions(options) && !yes)
      return refuseWithoutYes(
        context,
        'hidden',
        store.streamVisible(selection),
        store.streamUnlisted(selection, 'held', 'refused', 'withdrawn'),
      );
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
    reportChange(context, 'Hidden', agents, selection, agents.length > 1 ? hint : undefined);
  });
}
