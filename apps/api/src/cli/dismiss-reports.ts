import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { CommandError, countOf, parseId, say, withDatabase } from './command.ts';

/** Deletes the reports of agents that the operator has looked at. */
export async function dismissReports(ids: readonly string[]): Promise<void> {
  const agentIds = ids.map(parseId);
  await withDatabase(async ({ engine }) => {
    const count = await createKyselyOperatorStore(engine).dismissReports(agentIds);
    if (count === 0) throw new CommandError('No report is about these agents.');
    say(`Dismissed: ${countOf(count, 'report')}.`);
  });
}
