import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { CommandError, parseId, say, withDatabase } from './command.ts';

/** Longest reason, in characters. */
const MAX_REASON_LENGTH = 500;

/** Hides an agent from visitors. */
export async function hide(idText: string, { reason: reasonText }: { reason: string }): Promise<void> {
  const id = parseId(idText);
  const reason = reasonText.trim();
  if (reason === '' || reason.length > MAX_REASON_LENGTH || /\p{Cc}/u.test(reason)) {
    throw new CommandError(`The reason must be one line of 1 to ${MAX_REASON_LENGTH} characters.`);
  }
  await withDatabase(async ({ engine }) => {
    const store = createKyselyOperatorStore(engine);
    const hidden = await store.hide(id, reason);
    if (hidden) return say(`Hidden: ${hidden.agent.name} (${id}).`);
    const earlier = await store.findHidden(id);
    throw new CommandError(
      earlier
        ? `The agent ${id} is hidden already, since ${earlier.hiddenAt}: ${earlier.reason}`
        : `No agent has the id ${id}.`,
    );
  });
}
