import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { withDatabase } from './command.ts';
import { readRequiredSelection, reportChange } from './selection-options.ts';

/** Withdraws agents as their owners can. */
export async function withdraw(ids: readonly string[]): Promise<void> {
  const selection = await readRequiredSelection(ids, {});
  await withDatabase(async ({ engine }) => {
    const agents = await createKyselyOperatorStore(engine).withdraw(selection);
    reportChange('Withdrawn', agents, selection, 'They can be restored for 30 days: registry restore-agent <id...>');
  });
}

/** Lists withdrawn agents again. */
export async function restoreAgent(ids: readonly string[]): Promise<void> {
  const selection = await readRequiredSelection(ids, {});
  await withDatabase(async ({ engine }) => {
    reportChange('Restored', await createKyselyOperatorStore(engine).restore(selection), selection);
  });
}
