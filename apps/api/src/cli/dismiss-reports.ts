import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { readActing, type ActingOptions } from './acting.ts';
import { CommandError, countOf, parseId, say, withDatabase, type CommandContext } from './command.ts';

/** Deletes the reports of agents that the operator has looked at. */
export async function dismissReports(
  context: CommandContext,
  ids: readonly string[],
  options: ActingOptions,
): Promise<void> {
  const acting = readActing('dismiss-reports', options);
  const agentIds = ids.map(parseId);
  await withDatabase(context, async ({ engine }) => {
    const count = await createKyselyOperatorStore(engine, acting).dismissReports(agentIds);
    if (count === 0) throw new CommandError('No report is about these agents.');
    say(context, `Dismissed: ${countOf(count, 'report')}.`);
  });
}
