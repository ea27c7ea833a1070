import { randomUUID } from 'node:crypto';
import type { Agent, NewAgent } from '@agent-registry/contracts';
import { toHashedId } from '../agents/to-hashed-id.ts';
import { toWebsiteKey } from '../agents/website-key.ts';
import type { Json } from '../prefill/json-paths.ts';
import { differenceOf } from '../agents/proposals.ts';
import type { AgentSource } from '../operator/agent-sources.ts';
import type { Crawl } from './crawl-source.ts';
import { planAbsent } from './plan-absent.ts';
import type { Source } from './read-sources.ts';
import type { KnownAgent, SourceStore } from './source-store.ts';
import { createPlan, toEntryKey, type PlannedEntry, type SyncPlan } from './sync-plan.ts';
import type { ReadAgent } from './to-new-agent.ts';

/** What a plan is made from. */
export type PlanOptions = {
  store: SourceStore;
  /** Whether an earlier synchronisation has come to its end. */
  wasFollowed: boolean;
  crawl: Crawl;
  readAgent: (fields: Json) => ReadAgent;
  /** Agents that sources before this one would add, by the keys of their websites. */
  planned: ReadonlyMap<string, Agent>;
  /** ISO 8601 in UTC. */
  now: string;
};

/** Plans how the registry follows a source. */
export async function planSync(source: Source, options: PlanOptions): Promise<SyncPlan> {
  const { store, wasFollowed, crawl, readAgent, now } = options;
  const entries = await store.entriesOf(source.name);
  const ids = [...entries.values()].flatMap(({ agentId }) => agentId ?? []);
  const known = await store.readAgents(ids);
  const pinned = await store.readPinned();
  const plan = createPlan(source, wasFollowed, crawl);
  const present = new Set<string>();
  const fresh: { entryKey: string; agent: NewAgent }[] = [];
  for (const [id, { isRemoved, fields }] of crawl.items) {
    if (isRemoved) continue;
    const entryKey = toEntryKey(id);
    present.add(entryKey);
    const { agent, fault } = readAgent(fields);
    const entry = entries.get(entryKey);
    if (fault !== undefined) plan.refused.push({ id, fault });
    else if (!entry) fresh.push({ entryKey, agent });
    else planKnown(plan, { entry: describeEntry(entry, source), agent, known, pinned, before: entry, now });
  }
  const own = [...entries.values()].flatMap(({ agentId, isOrigin }) => (isOrigin ? (agentId ?? []) : []));
  await planFresh(plan, fresh, { ...options, own: new Set(own) });
  await planAbsent(plan, { store, entries, known, present });
  return plan;
}

/** The id of the agent of an entry: the same one for two synchronisations at a time, so that it is added once. */
function toAgentId(source: string, entryKey: string): string {
  return toHashedId(`${source} ${entryKey}`);
}

/** An entry with the licence and attribution that its source has now. */
function describeEntry(entry: AgentSource, { attribution, licence }: Source): AgentSource {
  return { ...entry, attribution, licence };
}

type KnownEntry = {
  /** The entry as the source describes it now, and as it is stored. */
  entry: AgentSource;
  before: AgentSource;
  agent: NewAgent;
  known: ReadonlyMap<string, KnownAgent>;
  pinned: Awaited<ReturnType<SourceStore['readPinned']>>;
  now: string;
};

/** Plans what becomes of an entry that an earlier synchronisation has seen. */
function planKnown(plan: SyncPlan, { entry: { goneAt, ...entry }, before, agent, known, pinned, now }: KnownEntry) {
  const { agentId } = entry;
  const found = agentId === null ? undefined : known.get(agentId);
  if (agentId === null || (found && !isOpen(found, goneAt))) {
    plan.kept += 1;
    return;
  }
  if (!found?.agent) {
    // An interrupted synchronisation has not added it, or it came back after it was forgotten under its id.
    const id = found ? randomUUID() : agentId;
    plan.adds.push(toAddition({ ...entry, agentId: id, importedAt: now }, agent, now));
    return;
  }
  const difference = differenceOf(found.agent, agent);
  const fixed = pinned.get(agentId) ?? new Set();
  const patch = Object.fromEntries(Object.entries(difference).filter(([field]) => !fixed.has(field as keyof NewAgent)));
  const isChanged = entry.isOrigin && Object.keys(patch).length > 0;
  if (found.state !== 'listed') plan.returns.push({ entry: { ...entry, importedAt: now }, agent: found.agent, patch });
  else if (isChanged) plan.changes.push({ entry: { ...entry, importedAt: now }, agent: found.agent, patch });
  else {
    plan.unchanged += 1;
    const { attribution, licence } = before;
    const isSame = attribution === entry.attribution && licence === entry.licence && goneAt === undefined;
    if (!isSame) plan.rewritten.push(entry);
  }
}

/** Whether an agent follows its source: nobody claimed it, and it is listed or was withdrawn with its entry. */
function isOpen({ agent, state, isClaimed }: KnownAgent, goneAt: string | undefined): boolean {
  if (isClaimed) return false;
  return (state === 'listed' && agent !== undefined) || (state === 'withdrawn' && goneAt !== undefined);
}

/** Plans what becomes of new entries: they join an agent with the same website, or are added. */
async function planFresh(
  plan: SyncPlan,
  fresh: readonly { entryKey: string; agent: NewAgent }[],
  { store, planned, now, own }: PlanOptions & { own: ReadonlySet<string> },
): Promise<void> {
  const { name: source, attribution, licence } = plan.source;
  const keys = new Set(fresh.flatMap(({ agent }) => toWebsiteKey(agent.website) ?? []));
  const found = await store.findByWebsite(keys);
  const known = await store.readAgents(fresh.map(({ entryKey }) => toAgentId(source, entryKey)));
  for (const { entryKey, agent } of fresh) {
    const key = toWebsiteKey(agent.website);
    const entry = { source, entryKey, attribution, licence, importedAt: now };
    // A source knows its entries apart, also if they have one website.
    const same = key === null ? undefined : (found.get(key)?.find(({ id }) => !own.has(id)) ?? planned.get(key));
    if (same) plan.joins.push({ entry: { ...entry, agentId: same.id, isOrigin: false }, agent: same });
    else {
      const id = toAgentId(source, entryKey);
      // The id of an agent that was forgotten is not given again.
      const isForgotten = known.has(id) && !known.get(id)?.agent;
      plan.adds.push(toAddition({ ...entry, agentId: isForgotten ? randomUUID() : id }, agent, now));
    }
  }
}

function toAddition(
  entry: Omit<AgentSource, 'isOrigin'> & { agentId: string },
  agent: NewAgent,
  createdAt: string,
): PlannedEntry {
  return {
    entry: { ...entry, isOrigin: true },
    agent: { id: entry.agentId, ...agent, rating: 0, reviewCount: 0, createdAt },
  };
}
