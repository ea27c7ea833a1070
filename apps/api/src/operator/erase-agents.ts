import type { Acting } from '../actions/operator-action.ts';
import type { Registry } from '../agents/registry.ts';
import { eraseRecords } from '../db/records.ts';
import { removeHosts } from '../liveness/host-store.ts';
import { toCheckedHost } from '../website-check/checked-host.ts';
import { removeEvents } from '../webhook/operator-events.ts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import { changeInBulk, type NamedAgent } from './change-in-bulk.ts';
import { collectSeqs, selectUnlisted, selectVisible } from '../agents/select-agents.ts';
import { removeListed, removeUnlisted } from '../agents/unlisted-agents.ts';

/**
 * Removes the selected agents, visible or not, with their idempotency keys, reports, proposals, views, sources, events, the
 * hosts of their websites, search terms, and their names and reasons in the record of actions, in one transaction like
 * `hide`. Returns the removed agents.
 */
export async function eraseAgents(
  registry: Registry,
  acting: Acting | undefined,
  selection: AgentSelection,
): Promise<NamedAgent[]> {
  const { db } = registry;
  const selected = await collectSeqs([selectVisible(db, selection), selectUnlisted(db, selection)]);
  const erased = await changeInBulk({ registry, acting, isErasure: true }, selected, async (transaction, seqs) => {
    const removed = [
      ...(await removeListed(registry, transaction, seqs, 'operator')),
      ...(await removeUnlisted(transaction, seqs)),
    ];
    const ids = removed.map(({ agent }) => agent.id);
    await eraseRecords(transaction, ids);
    // A host that other agents have is added again.
    const hosts = removed.flatMap(({ agent }) => toCheckedHost(agent.website) ?? []);
    await removeHosts(transaction, hosts);
    await removeEvents(transaction, ids);
    return removed;
  });
  await registry.purge();
  return erased;
}
