import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { CommandError, parseId, say, withDatabase } from './command.ts';

/** Shows a hidden agent again. */
export async function show(idText: string): Promise<void> {
  const id = parseId(idText);
  await withDatabase(async ({ engine }) => {
    const agent = await createKyselyOperatorStore(engine).show(id);
    if (agent) return say(`Shown again: ${agent.name} (${id}).`);
    const visible = await createKyselyAgentStore(engine).find(id);
    throw new CommandError(visible ? `The agent ${id} is not hidden.` : `No agent has the id ${id}.`);
  });
}
