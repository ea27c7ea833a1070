import type { Kysely } from 'kysely';
import { readRecordsOf } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import type { AgentSource } from '../operator/agent-sources.ts';
import { SourceError } from './read-sources.ts';
import type { KnownAgent } from './source-store.ts';
import { toEntryKey, type SyncPlan } from './sync-plan.ts';

/** The largest part of the agents of a source that a synchronisation withdraws, or adds and changes. */
const MAX_PART = 0.2;

/** Plans what becomes of entries that the source calls removed or that, after a complete crawl, are absent. */
export async function planAbsent(
  plan: SyncPlan,
  db: Kysely<Tables>,
  entries: ReadonlyMap<string, AgentSource>,
  { known, present }: { known: ReadonlyMap<string, KnownAgent>; present: ReadonlySet<string> },
): Promise<void> {
  const { items, isComplete, unnamed } = plan.crawl;
  const removed = new Set([...items].flatMap(([id, { isRemoved }]) => (isRemoved ? [toEntryKey(id)] : [])));
  // An entry without a name may be any of the absent ones.
  const countsAbsence = isComplete && unnamed === 0;
  const orphans: AgentSource[] = [];
  for (const entry of entries.values()) {
    const found = entry.agentId === null ? undefined : known.get(entry.agentId);
    const isFollowed = entry.isOrigin && found?.state === 'listed' && !found.isClaimed;
    if (isFollowed) plan.listed += 1;
    if (present.has(entry.entryKey) || !(countsAbsence || removed.has(entry.entryKey))) continue;
    if (isFollowed) orphans.push(entry);
    // Other keys stay: an entry whose agent was claimed, hidden, withdrawn or erased does not come back.
    else if (entry.agentId !== null && (!entry.isOrigin || !found)) plan.dropped.push(entry.entryKey);
  }
  const ids = orphans.map(({ agentId }) => agentId as string);
  const sharing = (await readRecordsOf(db, 'agent-source', ids)).filter(({ source }) => source !== plan.source.name);
  const others = Map.groupBy(sharing, ({ agentId }) => agentId);
  for (const entry of orphans) {
    const [next] = others.get(entry.agentId)?.toSorted(byImport) ?? [];
    const agent = known.get(entry.agentId as string)?.agent;
    if (next) {
      plan.rewritten.push({ ...next, isOrigin: true });
      plan.dropped.push(entry.entryKey);
    } else if (agent) plan.withdrawals.push({ entry, agent });
  }
}

function byImport(one: AgentSource, other: AgentSource): number {
  return one.importedAt + one.source < other.importedAt + other.source ? -1 : 1;
}

/** @throws {SourceError} when a source has lost more of its entries than is likely, or added or changed more after the first time */
export function assertLikely(plan: SyncPlan, allowed: { withdrawals: boolean; additions: boolean }): void {
  const { withdrawals, adds, changes, returns, refused, listed, wasFollowed, isReread, crawl, source } = plan;
  if (crawl.isComplete && crawl.items.size === refused.length) {
    const here = listed > 0 ? `, and ${listed} of its agents are listed here` : '';
    throw new SourceError(`it has no entry that can be read${here}`);
  }
  const assertFew = ({ length }: readonly unknown[], would: string, option: string) => {
    if (length <= listed * MAX_PART) return;
    throw new SourceError(
      `${length} ${would}, which is more than ${MAX_PART * 100} %. ` +
        `If that is right, repeat the command with --many-${option} ${source.name}`,
    );
  };
  if (!allowed.withdrawals) assertFew(withdrawals, `of its ${listed} agents would be withdrawn`, 'withdrawals');
  if (allowed.additions || !wasFollowed) return;
  if (!isReread) assertFew(changes, `of its ${listed} agents would be changed`, 'additions');
  assertFew([...adds, ...returns], `would be added to its ${listed} agents`, 'additions');
}
