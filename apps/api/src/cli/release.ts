import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { sayRow, withDatabase, type CommandContext } from './command.ts';
import {
  hasOptions,
  readRequiredSelection,
  refuseWithoutYes,
  reportChange,
  type SelectionOptions,
} from './selection-options.ts';

const UNDO = 'To take them back, write these lines to a file: registry hide --yes --reason <text> --file <file>';

/** Lists the selected agents that are held, and prints them, so that they can be hidden again together. */
export async function release(
  context: CommandContext,
  ids: readonly string[],
  { yes, ...options }: SelectionOptions & { yes?: boolean },
): Promise<void> {
  const selection = await readRequiredSelection(ids, options);
  await withDatabase(context, async ({ engine }) => {
    const store = createKyselyOperatorStore(engine);
    if (hasOptions(options) && !yes)
      return refuseWithoutYes(context, 'released', store.streamUnlisted(selection, 'held'));
    const agents = await store.release(selection);
    if (agents.length > 1) for (const { id, name } of agents) sayRow(context, id, name);
    reportChange(context, 'Released', agents, selection, agents.length > 1 ? UNDO : undefined);
  });
}
