import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { say, withDatabase } from './command.ts';

/** Lists visible or hidden agents, one a line, as fields separated by tabs or as JSON. */
export async function list({ hidden, json }: { hidden?: boolean; json?: boolean }): Promise<void> {
  await withDatabase(async ({ engine }) => {
    if (hidden) {
      for await (const { agent, reason, hiddenAt } of createKyselyOperatorStore(engine).streamHidden()) {
        const { id, name } = agent;
        say(json ? JSON.stringify({ id, name, reason, hiddenAt }) : [id, hiddenAt, name, reason].join('\t'));
      }
      return;
    }
    for await (const chunk of createKyselyAgentStore(engine).stream()) {
      for (const { id, name, createdAt } of chunk) {
        say(json ? JSON.stringify({ id, name, createdAt }) : [id, createdAt, name].join('\t'));
      }
    }
  });
}
