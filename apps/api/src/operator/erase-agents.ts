import type { Acting } from '../actions/operator-action.ts';
import type { Engine } from '../db/engine.ts';
import { eraseRecords } from '../db/records.ts';
import { removeHosts } from '../liveness/kysely-host-store.ts';
import { toCheckedHost } from '../website-check/checked-host.ts';
import { removeEvents } from '../webhook/operator-events.ts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import type { NamedAgent } from './operator-store.ts';
import { changeInBulk, collectSeqs, selectUnlisted, selectVisible } from '../agents/select-agents.ts';
import { removeListed, removeUnlisted } from '../agents/unlisted-agents.ts';

/** Removes the selected agents with all that is stored of them. */
export async function eraseAgents(
  engine: Engine,
  acting: Acting | undefined,
  selection: AgentSelection,
): Promise<NamedAgent[]> {
  const { db } = engine;
  const selected = await collectSeqs([selectVisible(db, selection), selectUnlisted(db, selection)]);
  const erased = await changeInBulk({ engine, acting, isErasure: true }, selected, async (transaction, seqs) => {
    const removed = [
      ...(await removeListed(engine, transaction, seqs, 'operator')),
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
  await engine.purge();
  return erased;
}
