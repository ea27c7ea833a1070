import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { CommandError, countOf, parseId, say, withDatabase, type CommandContext } from './command.ts';

/** Deletes the reports of agents that the operator has looked at. */
export async function dismissReports(context: CommandContext, ids: readonly string[]): Promise<void> {
  const agentIds = ids.map(parseId);
  await withDatabase(context, async ({ engine }) => {
    const count = await createKyselyOperatorStore(engine).dismissReports(agentIds);
    if (count === 0) throw new CommandError('No report is about these agents.');
    say(context, `Dismissed: ${countOf(count, 'report')}.`);
  });
}
