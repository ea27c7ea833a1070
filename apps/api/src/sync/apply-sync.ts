import { setTimeout as wait } from 'node:timers/promises';
import type { OperatorStore } from '../operator/operator-store.ts';
import type { SourceStore } from './source-store.ts';
import { toReading, type PlannedEntry, type SyncPlan } from './sync-plan.ts';

/** Agents per transaction; a transaction delays other writers. */
const BATCH = 200;
/** The pause between two transactions, in milliseconds, so that other writers get their turn. */
const PAUSE = 30;

/** The stores that a synchronisation writes to. */
export type SyncStores = { operator: OperatorStore; store: SourceStore };

/**
 * Does what a plan says. It can be repeated after an interruption: the source counts as read only at the end. An agent
 * that was claimed meanwhile stays as it is.
 */
export async function applySync(
  plan: SyncPlan,
  { operator, store, named }: SyncStores & { named: readonly string[] },
  now: string,
): Promise<void> {
  const { source, adds, joins, rewritten, dropped, names, crawl } = plan;
  // Entries are noted before their agents, so that an interrupted synchronisation adds none twice.
  await store.write([...adds, ...joins].map(({ entry }) => entry));
  // Before their agents, which would get names of this registry.
  await store.giveNames(names, source.names ? named : undefined);
  for (let begin = 0; begin < adds.length; begin += BATCH) {
    const batch = adds.slice(begin, begin + BATCH);
    await store.writeDocuments(batch.flatMap(({ document }) => document ?? []));
    await operator.add(batch.map(({ agent }) => agent));
    await wait(PAUSE);
  }
  await changeAgents(plan, { operator, store });
  await withdrawAgents(plan.withdrawals, { operator, store }, now);
  await store.write(rewritten);
  await store.remove(source.name, dropped);
  const { name, address } = source;
  await store.finish({ name, address, mark: crawl.mark, syncedAt: now, reading: toReading(source) });
}

async function changeAgents({ returns, changes }: SyncPlan, { operator, store }: SyncStores): Promise<void> {
  for (const { agent } of returns) await operator.restore({ ids: new Set([agent.id]) });
  for (const { entry, agent, patch, document } of [...returns, ...changes]) {
    const ids = new Set([agent.id]);
    if (document) await store.writeDocuments([document]);
    // Also where only the description changed, so that readers of changes see it.
    if (document || Object.keys(patch).length > 0) await operator.edit({ ids }, patch, 'import');
    await store.write([entry]);
  }
}

async function withdrawAgents(
  withdrawals: readonly PlannedEntry[],
  { operator, store }: SyncStores,
  goneAt: string,
): Promise<void> {
  if (withdrawals.length === 0) return;
  await store.write(withdrawals.map(({ entry }) => ({ ...entry, goneAt })));
  const withdrawn = await operator.withdraw({ ids: new Set(withdrawals.map(({ agent }) => agent.id)) }, 'import');
  const ids = new Set(withdrawn.map(({ id }) => id));
  await store.write(withdrawals.filter(({ agent }) => !ids.has(agent.id)).map(({ entry }) => entry));
}
