import type { Agent } from '@agent-registry/contracts';
import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import type { RegistryRecord } from '../agents/operator-store.ts';
import { openDatabase } from '../db/open-database.ts';
import { writeHosts } from '../liveness/kysely-host-store.ts';
import { writeSourceRecords } from '../sync/source-records.ts';

/** A record of what is known about entries. */
export type FactRecord = Extract<RegistryRecord, { kind: 'website-host' | 'source' | 'agent-source' }>;

/** Stores agents, and what is known about them, in a database before a server starts on it. */
export async function fillTestDatabase(
  url: string,
  agents: Iterable<Agent>,
  facts: readonly FactRecord[] = [],
): Promise<void> {
  const { engine } = await openDatabase(url);
  await createKyselyAgentStore(engine).load([...agents]);
  await engine.db.transaction().execute(async (transaction) => {
    await writeHosts(
      transaction,
      facts.filter((fact) => fact.kind === 'website-host'),
    );
    for (const fact of facts) await writeSourceRecords(transaction, [fact]);
  });
  await engine.close();
}
