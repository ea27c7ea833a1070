import { agentIdSchema } from '@agent-registry/contracts';
import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { CommandError, say, withDatabase } from './command.ts';

/** Longest reason, in characters. */
const MAX_REASON_LENGTH = 500;

/** Takes an agent out of everything that visitors can see, from now on. */
export async function hide(text: string, { reason: reasonText }: { reason: string }): Promise<void> {
  const id = readId(text);
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
      earlier ? `This agent is hidden since ${earlier.hiddenAt}: ${earlier.reason}` : `No agent has the id ${id}.`,
    );
  });
}

/** Puts a hidden agent back as it was. */
export async function show(text: string): Promise<void> {
  const id = readId(text);
  await withDatabase(async ({ engine }) => {
    const agent = await createKyselyOperatorStore(engine).show(id);
    if (agent) return say(`Shown again: ${agent.name} (${id}).`);
    const visible = await createKyselyAgentStore(engine).find(id);
    throw new CommandError(visible ? `The agent ${id} is not hidden.` : `No agent has the id ${id}.`);
  });
}

function readId(text: string): string {
  const { data, error } = agentIdSchema.safeParse(text);
  if (data === undefined) throw new CommandError(`${error.issues[0]?.message}.`);
  return data;
}
