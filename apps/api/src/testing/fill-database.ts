import type { Agent } from '@agent-registry/contracts';
import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { openDatabase } from '../db/open-database.ts';

/** Stores agents in the database that a URL names, before a server is started over it. */
export async function fillTestDatabase(url: string, agents: Iterable<Agent>): Promise<void> {
  const { engine } = await openDatabase(url);
  await createKyselyAgentStore(engine).load([...agents]);
  await engine.close();
}
