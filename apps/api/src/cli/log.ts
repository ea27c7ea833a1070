import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { parseId, sayJson, sayRow, withDatabase, type CommandContext } from './command.ts';
import { readSelection } from './selection-options.ts';

/** Prints the record of actions, oldest first, as lines with tabs between the fields or as JSON. */
export async function log(
  context: CommandContext,
  { since: sinceText, id: idText, json = false }: { since?: string; id?: string; json?: boolean },
): Promise<void> {
  const id = idText === undefined ? undefined : parseId(idText);
  const { since } = await readSelection([], sinceText === undefined ? {} : { since: sinceText });
  await withDatabase(context, async ({ engine }) => {
    for await (const { number: _, ...action } of createKyselyOperatorStore(engine).streamActions({ since, id })) {
      if (json) sayJson(context, action);
      else {
        const { at, by, command, agentId, name, reason } = action;
        sayRow(context, at, by, command, agentId ?? '', name ?? '', reason);
      }
    }
  });
}
