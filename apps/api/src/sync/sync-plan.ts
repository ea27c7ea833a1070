import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent, AgentPatch, Json } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { writeRecords } from '../db/records.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import type { AgentSource } from '../operator/agent-sources.ts';
import { writeDocuments, type ServerDocument } from '../servers/server-documents.ts';
import type { WantedName } from '../servers/name-rows.ts';
import { giveNames } from '../servers/source-names.ts';
import type { Crawl } from './crawl-source.ts';
import type { Source } from './read-sources.ts';
import type { OperatorStore } from '../operator/operator-store.ts';
import { removeEntries, writeEntries } from './source-store.ts';
import type { ReadAgent } from './to-new-agent.ts';

/** Agents per transaction, which delays other writers, and the pause after it in milliseconds. */
export const [BATCH, PAUSE] = [200, 30];

/** An entry of a source that concerns an agent of the registry, and its description if it is an MCP server that changed. */
export type PlannedEntry = { entry: AgentSource; agent: Agent; document?: ServerDocument | undefined };

export type LeftEntry = { id: string; fault: string };

export type PlanOptions = {
  engine: Engine;
  /** Whether an earlier synchronisation has come to its end. */
  wasFollowed: boolean;
  /** Whether the source is read from its start because this version reads more of its entries. */
  isReread: boolean;
  crawl: Crawl;
  readAgent: (fields: Json) => ReadAgent;
  /** Agents that sources before this one would add, by the keys of their websites. */
  planned: ReadonlyMap<string, Agent>;
  /** The sources whose names of MCP servers count. */
  named: readonly string[];
  now: string;
};

export type SyncPlan = Pick<PlanOptions, 'wasFollowed' | 'isReread' | 'crawl'> & {
  source: Source;
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
  dropped: string[];
  names: WantedName[];
  refused: LeftEntry[];
  /** Entries that are not added because of an agent with the same website, and why. */
  left: LeftEntry[];
  /** MCP servers that are not described as the source does, and why. */
  partial: LeftEntry[];
  unchanged: number;
  /** Entries that stay as they are, because they were claimed, hidden, withdrawn or erased. */
  kept: number;
  /** The listed agents of the source that nobody has claimed, before. */
  listed: number;
};

/** The key of an entry: a hash of what the source calls it. */
export function toEntryKey(id: string): string {
  return hash('sha256', id, 'base64url');
}

/** What this version reads of the entries of a source: another text than that of the last time has them all read anew. */
export function toReading({ names }: Source): string {
  return names ? 'servers, values, names' : 'servers, values';
}

export function createPlan(source: Source, { wasFollowed, isReread, crawl }: PlanOptions): SyncPlan {
  const nothing = { adds: [], changes: [], returns: [], joins: [], withdrawals: [], rewritten: [], dropped: [] };
  const faults = { refused: [], left: [], partial: [] };
  return { source, wasFollowed, isReread, crawl, ...nothing, names: [], ...faults, unchanged: 0, kept: 0, listed: 0 };
}

/** Does what a plan says. After an interruption it can be repeated: the source counts as read only at the end. */
export async function applySync(
  plan: SyncPlan,
  { engine, operator, named }: { engine: Engine; operator: OperatorStore; named: readonly string[] },
  now: string,
): Promise<void> {
  const { db } = engine;
  const { source, adds, joins, rewritten, dropped, names, crawl } = plan;
  // Entries are noted before their agents, so that an interrupted synchronisation adds none twice.
  await writeEntries(
    db,
    [...adds, ...joins].map(({ entry }) => entry),
  );
  // Before their agents, which would get names of this registry.
  await giveNames(engine, names, source.names ? named : undefined);
  for (let begin = 0; begin < adds.length; begin += BATCH) {
    const batch = adds.slice(begin, begin + BATCH);
    await describeServers(db, batch);
    await operator.add(batch.map(({ agent }) => agent));
    await wait(PAUSE);
  }
  await changeAgents(db, operator, plan);
  await withdrawAgents(db, operator, plan.withdrawals, now);
  await writeEntries(db, rewritten);
  await removeEntries(db, source.name, dropped);
  const { name, address } = source;
  await writeRecords(db, 'source', [{ name, address, mark: crawl.mark, syncedAt: now, reading: toReading(source) }]);
}

function describeServers(db: Kysely<Tables>, entries: readonly PlannedEntry[]): Promise<void> {
  const documents = entries.flatMap(({ document }) => document ?? []);
  return db.transaction().execute((transaction) => writeDocuments(transaction, documents));
}

async function changeAgents(db: Kysely<Tables>, operator: OperatorStore, plan: SyncPlan): Promise<void> {
  const { returns, changes } = plan;
  for (const { agent } of returns) await operator.restore({ ids: new Set([agent.id]) });
  for (const change of [...returns, ...changes]) {
    const { entry, agent, patch, document } = change;
    const ids = new Set([agent.id]);
    if (document) await describeServers(db, [change]);
    // Also where only the description changed, so that readers of changes see it.
    if (document || Object.keys(patch).length > 0) await operator.edit({ ids }, patch, 'import');
    await writeEntries(db, [entry]);
  }
}

async function withdrawAgents(
  db: Kysely<Tables>,
  operator: OperatorStore,
  withdrawals: readonly PlannedEntry[],
  goneAt: string,
): Promise<void> {
  if (withdrawals.length === 0) return;
  await writeEntries(
    db,
    withdrawals.map(({ entry }) => ({ ...entry, goneAt })),
  );
  const withdrawn = await operator.withdraw({ ids: new Set(withdrawals.map(({ agent }) => agent.id)) }, 'import');
  const ids = new Set(withdrawn.map(({ id }) => id));
  await writeEntries(
    db,
    withdrawals.filter(({ agent }) => !ids.has(agent.id)).map(({ entry }) => entry),
  );
}
