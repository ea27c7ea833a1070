import { randomUUID } from 'node:crypto';
import { describeLeft, fold, type Agent, type NewAgent, type Json } from '@agent-registry/contracts';
import { differenceOf } from '../agents/proposals.ts';
import { toHashedId, type ReadAgent } from './to-new-agent.ts';
import { toWebsiteKey } from '../agents/text-keys.ts';
import type { AgentSource } from '../operator/agent-sources.ts';
import type { Crawl } from './crawl-source.ts';
import { planAbsent } from './plan-absent.ts';
import { planServers, type PresentEntry } from './plan-servers.ts';
import type { Source } from './read-sources.ts';
import type { SourceServer } from './read-server.ts';
import type { KnownAgent, SourceStore, WebsiteAgent } from './source-store.ts';
import { createPlan, toEntryKey, type PlannedEntry, type SyncPlan } from './sync-plan.ts';

type PlanOptions = {
  store: SourceStore;
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
  /** ISO 8601 in UTC. */
  now: string;
};

type ReadEntry = { id: string; entryKey: string; agent: NewAgent; server: SourceServer | undefined };

/** Plans how the registry follows a source. */
export async function planSync(source: Source, options: PlanOptions): Promise<SyncPlan> {
  const { store, crawl, readAgent, now } = options;
  const entries = await store.entriesOf(source.name);
  const ids = [...entries.values()].flatMap(({ agentId }) => agentId ?? []);
  const known = await store.readAgents(ids);
  const pinned = await store.readPinned();
  const plan = createPlan(source, options);
  const present = new Set<string>();
  const followed: PresentEntry[] = [];
  const fresh: ReadEntry[] = [];
  for (const [id, { isRemoved, fault: unreadable, fields, server, left = [] }] of crawl.items) {
    if (isRemoved) continue;
    const entryKey = toEntryKey(id);
    present.add(entryKey);
    const read = unreadable === undefined ? readAgent(fields) : { fault: unreadable };
    const { agent } = read;
    if (agent) for (const part of [...left, ...read.left]) plan.partial.push({ id, fault: describeLeft(part, true) });
    const before = entries.get(entryKey);
    if (!agent) plan.refused.push({ id, fault: read.fault });
    else if (!before) fresh.push({ id, entryKey, agent, server });
    else {
      const entry = { ...before, attribution: source.attribution, licence: source.licence };
      const found = planKnown(plan, { entry, agent, known, pinned, before, now });
      if (found && entry.isOrigin && server) followed.push({ entry: found, agent, server });
    }
  }
  const own = [...entries.values()].flatMap(({ agentId, isOrigin }) => (isOrigin ? (agentId ?? []) : []));
  followed.push(...(await planFresh(plan, fresh, { ...options, own: new Set(own) })));
  await planServers(plan, followed, { ...options, known });
  await planAbsent(plan, { store, entries, known, present });
  return plan;
}

/** The id of the agent of an entry: the same one for two synchronisations at a time, so that it is added once. */
function toAgentId(source: string, entryKey: string): string {
  return toHashedId(`${source} ${entryKey}`);
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

/** Plans what becomes of an entry that an earlier synchronisation has seen; returns it if its agent follows the source. */
function planKnown(
  plan: SyncPlan,
  { entry: { goneAt, ...entry }, before, agent, known, pinned, now }: KnownEntry,
): AgentSource | undefined {
  const { agentId } = entry;
  const found = agentId === null ? undefined : known.get(agentId);
  if (agentId === null || (found && !isOpen(found, goneAt))) {
    plan.kept += 1;
    return undefined;
  }
  if (!found?.agent) {
    // An interrupted synchronisation has not added it, or it came back after it was forgotten under its id.
    const id = found ? randomUUID() : agentId;
    const addition = toAddition({ ...entry, agentId: id, importedAt: now }, agent, now);
    plan.adds.push(addition);
    return addition.entry;
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
  return entry;
}

/** Whether an agent follows its source: nobody claimed it, and it is listed or was withdrawn with its entry. */
function isOpen({ agent, state, isClaimed }: KnownAgent, goneAt: string | undefined): boolean {
  if (isClaimed) return false;
  return (state === 'listed' && agent !== undefined) || (state === 'withdrawn' && goneAt !== undefined);
}

/** Plans what becomes of new entries: they are left, join the agent that another source has of them, or are added. */
async function planFresh(
  plan: SyncPlan,
  fresh: readonly ReadEntry[],
  { store, planned, now, own }: PlanOptions & { own: ReadonlySet<string> },
): Promise<PresentEntry[]> {
  const { name: source, attribution, licence } = plan.source;
  const keys = new Set(fresh.flatMap(({ agent }) => toWebsiteKey(agent.website) ?? []));
  const found = await store.findByWebsite(keys);
  const known = await store.readAgents(fresh.map(({ entryKey }) => toAgentId(source, entryKey)));
  const published = await store.findPublishedNames(fresh.flatMap(({ server }) => server?.name.toLowerCase() ?? []));
  const added: PresentEntry[] = [];
  for (const { id: itemId, entryKey, agent, server } of fresh) {
    const key = toWebsiteKey(agent.website);
    const entry = { source, entryKey, attribution, licence, importedAt: now };
    // A source knows its entries apart, also if they have one website.
    const others = key === null ? [] : (found.get(key) ?? []).filter((other) => !own.has(other.agent.id));
    const fault = published.has(server?.name.toLowerCase() ?? '')
      ? 'Its owner publishes it here'
      : others.map(toFault).find((reason) => reason !== undefined);
    const before = key === null ? undefined : planned.get(key);
    const imported = others.flatMap((other) => (other.isFollowed ? other.agent : []));
    const same = [...imported, ...(before ? [before] : [])].find(({ name }) => fold(name) === fold(agent.name));
    if (fault !== undefined) plan.left.push({ id: itemId, fault });
    else if (same) plan.joins.push({ entry: { ...entry, agentId: same.id, isOrigin: false }, agent: same });
    else {
      const id = toAgentId(source, entryKey);
      // The id of an agent that was forgotten is not given again.
      const isForgotten = known.has(id) && !known.get(id)?.agent;
      const addition = toAddition({ ...entry, agentId: isForgotten ? randomUUID() : id }, agent, now);
      plan.adds.push(addition);
      if (server) added.push({ entry: addition.entry, agent, server });
    }
  }
  return added;
}

/** Why an entry with the website of an agent is not added; undefined if it is. */
function toFault({ state, isProved }: WebsiteAgent): string | undefined {
  if (isProved) return 'The owner of another entry has shown control of its website';
  if (state === 'listed' || state === 'held') return undefined;
  return 'An entry with its website was taken off the list here';
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
