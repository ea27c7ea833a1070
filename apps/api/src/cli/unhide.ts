import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { CommandError, withDatabase, type CommandContext } from './command.ts';
import {
  hasOptions,
  readRequiredSelection,
  refuseWithoutYes,
  reportChange,
  type SelectionOptions,
} from './selection-options.ts';

/** Returns the selected hidden agents to the state in which they were: most are listed again. */
export async function unhide(
  context: CommandContext,
  ids: readonly string[],
  { yes, ...options }: SelectionOptions & { yes?: boolean },
): Promise<void> {
  const selection = await readRequiredSelection(ids, options);
  await withDatabase(context, async ({ engine }) => {
    const store = createKyselyOperatorStore(engine);
    if (hasOptions(options) && !yes)
      return refuseWithoutYes(context, 'shown again', store.streamUnlisted(selection, 'hidden'));
    const agents = await store.unhide(selection);
    if (agents.length === 0 && ids.length === 1) {
      const { value: visible } = await store.streamVisible(selection).next();
      if (visible) throw new CommandError(`The agent ${visible.id} is not hidden.`);
    }
    reportChange(context, 'Shown again', agents, selection);
  });
}
