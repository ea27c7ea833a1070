import type { Agent } from '@agent-registry/contracts';
import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import type { OperatorStore } from '../agents/operator-store.ts';
import { formatOf } from './agent-file.ts';
import { assertFree, writeFileAtomically } from './atomic-file.ts';
import { countOf, say, withDatabase } from './command.ts';
import { withProgress } from './progress.ts';

/** Agents per batch. */
const BATCH = 200;

/** Writes all visible agents to a file, in the order in which they were stored. */
export async function exportAgents(path: string, { overwrite }: { overwrite?: boolean | undefined }): Promise<void> {
  const format = formatOf(path);
  await assertFree(path, { overwrite });
  await withDatabase(async ({ engine }) => {
    let exported = 0;
    await withProgress('Exporting', await createKyselyAgentStore(engine).count(), (advance) => {
      const batches = readVisible(createKyselyOperatorStore(engine), (agents) => {
        exported += agents;
        advance(agents);
      });
      return writeFileAtomically(path, format.write(batches), { overwrite });
    });
    say(`Exported ${countOf(exported, 'agent')} to ${path}.`);
  });
}

async function* readVisible(
  store: OperatorStore,
  onBatch: (agents: number) => void,
): AsyncGenerator<Agent[], void, undefined> {
  let batch: Agent[] = [];
  for await (const record of store.read()) {
    if (record.kind === 'hidden') continue;
    if (record.kind !== 'agent') break;
    batch.push(record.agent);
    if (batch.length < BATCH) continue;
    yield batch;
    onBatch(batch.length);
    batch = [];
  }
  if (batch.length > 0) yield batch;
  onBatch(batch.length);
}
