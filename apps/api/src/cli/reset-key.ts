import { createManagementKey } from '@agent-registry/contracts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { hashKey } from '../agents/management-keys.ts';
import { readActing, type ActingOptions } from './acting.ts';
import { CommandError, parseId, say, withDatabase, type CommandContext } from './command.ts';

/** Gives a visible agent a new management key and prints it, the only time. */
export async function resetKey(context: CommandContext, idText: string, options: ActingOptions): Promise<void> {
  const acting = readActing('reset-key', options);
  const id = parseId(idText);
  await withDatabase(context, async ({ engine }) => {
    const key = createManagementKey();
    const isReset = await createKyselyOperatorStore(engine, acting).setKeyHash(id, hashKey(key));
    if (!isReset) throw new CommandError('No agent matches.');
    say(context, key);
  });
}
