import type { Agent } from '@agent-registry/contracts';
import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { openDatabase } from '../db/open-database.ts';

/** Stores agents in a database before a server starts on it. */
export async function fillTestDatabase(url: string, agents: Iterable<Agent>): Promise<void> {
  const { engine } = await openDatabase(url);
  await createKyselyAgentStore(engine).load([...agents]);
  await engine.close();
}
