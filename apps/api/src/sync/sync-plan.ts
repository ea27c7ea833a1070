import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent, AgentPatch } from '@agent-registry/contracts';
import type { AgentSource } from '../operator/agent-sources.ts';
import type { ServerDocument } from '../servers/server-documents.ts';
import type { WantedName } from '../servers/name-rows.ts';
import type { Crawl } from './crawl-source.ts';
import type { Source } from './read-sources.ts';
import type { OperatorStore } from '../operator/operator-store.ts';
import type { SourceStore } from './source-store.ts';

/** Agents per transaction; a transaction delays other writers. */
const BATCH = 200;
/** The pause between two transactions, in milliseconds, so that other writers get their turn. */
const PAUSE = 30;

type SyncStores = { operator: OperatorStore; store: SourceStore };

/** An entry of a source that concerns an agent of the registry, and its description if it is an MCP server that changed. */
export type PlannedEntry = { entry: AgentSource; agent: Agent; document?: ServerDocument | undefined };

/** An entry of a source, and why it is not taken. */
export type LeftEntry = { id: string; fault: string };

/** What a synchronisation would do. */
export type SyncPlan = {
  source: Source;
  /** Whether an earlier synchronisation has come to its end. */
  wasFollowed: boolean;
  /** Whether it is read from its start because this version reads more of its entries. */
  isReread: boolean;
  adds: PlannedEntry[];
  /** Agents to change, or to give another description as a server. */
  changes: (PlannedEntry & { patch: AgentPatch })[];
  /** Agents to list again, since the source has them again, and to change. */
  returns: (PlannedEntry & { patch: AgentPatch })[];
  /** Agents that another source has under the same name and website: the source becomes another one of theirs. */
  joins: PlannedEntry[];
  withdrawals: PlannedEntry[];
  /** Entries whose licence, attribution or place changes, without a change of the agent. */
  rewritten: AgentSource[];
  /** Keys of entries that are no longer known. */
  dropped: string[];
  /** Names of MCP servers that agents get. */
  names: WantedName[];
  /** Entries that cannot be agents, and why. */
  refused: LeftEntry[];
  /** Entries that are not added because of an agent with the same website, and why. */
  left: LeftEntry[];
  /** MCP servers that are not described as the source does, and why. */
  partial: LeftEntry[];
  /** Entries that are as they were. */
  unchanged: number;
  /** Entries that stay as they are, because they were claimed, hidden, withdrawn or erased. */
  kept: number;
  /** The listed agents of the source that nobody has claimed, before. */
  listed: number;
  crawl: Crawl;
};

/** The key of an entry: a hash of what the source calls it. */
export function toEntryKey(id: string): string {
  return hash('sha256', id, 'base64url');
}

/** What this version reads of the entries of a source: another text than that of the last time has them all read anew. */
export function toReading({ names }: Source): string {
  return names ? 'servers, values, names' : 'servers, values';
}

/** Creates a plan that does nothing. */
export function createPlan(
  source: Source,
  { wasFollowed, isReread, crawl }: Pick<SyncPlan, 'wasFollowed' | 'isReread' | 'crawl'>,
): SyncPlan {
  return {
    source,
    wasFollowed,
    isReread,
    adds: [],
    changes: [],
    returns: [],
    joins: [],
    withdrawals: [],
    rewritten: [],
    dropped: [],
    names: [],
    refused: [],
    left: [],
    partial: [],
    unchanged: 0,
    kept: 0,
    listed: 0,
    crawl,
  };
}

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
