import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { countReports } from '../agents/reports.ts';
import { procedure, router } from './console-trpc.ts';
import { readQueue, type QueueItem } from './read-queue.ts';

/** Most entries of the queue that are shown at once. */
const MAX_SHOWN = 100;

/** The calls of the queue. */
export const queueRouter = router({
  /** What has waited longest, with the numbers of reports, and how much waits in all. */
  list: procedure.query(async ({ ctx: { engine } }) => {
    const items: QueueItem[] = [];
    for await (const item of readQueue(createKyselyOperatorStore(engine))) items.push(item);
    const shown = items.toSorted((a, b) => compare(a.since, b.since)).slice(0, MAX_SHOWN);
    const reports = await countReports(
      engine.db,
      shown.map(({ agent }) => agent.id),
    );
    return { items: shown.map((item) => ({ ...item, reports: reports.get(item.agent.id) ?? 0 })), total: items.length };
  }),
});

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
