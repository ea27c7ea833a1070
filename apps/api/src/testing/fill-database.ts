import type { Agent } from '@agent-registry/contracts';
import { createAgentStore } from '../stores.ts';
import { openDatabase } from '../db/open-database.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { writeRecords } from '../db/records.ts';

/** A record of what is known about entries. */
export type FactRecord = Extract<RegistryRecord, { kind: 'source' | 'agent-source' }>;

/** Stores agents, and what is known about them, in a database before a server starts on it. */
export async function fillTestDatabase(
  url: string,
  agents: Iterable<Agent>,
  facts: readonly FactRecord[] = [],
): Promise<void> {
  const { engine } = await openDatabase(url);
  await createAgentStore(engine).load([...agents]);
  for (const fact of facts) await writeRecords<FactRecord['kind']>(engine.db, fact.kind, [fact]);
  await engine.close();
}
