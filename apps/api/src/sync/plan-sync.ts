import { randomUUID } from 'node:crypto';
import { describeLeft, fold, type NewAgent } from '@agent-registry/contracts';
import { differenceOf } from '../agents/proposals.ts';
import { toHashedId } from './to-new-agent.ts';
import { toWebsiteKey } from '../agents/text-keys.ts';
import { readPinned, type AgentSource } from '../operator/agent-sources.ts';
import { findPublishedNames } from '../publisher/publications.ts';
import { planAbsent } from './plan-absent.ts';
import { planServers, type PresentEntry } from './plan-servers.ts';
import type { Source } from './read-sources.ts';
import type { SourceServer } from './read-server.ts';
import { findByWebsite, readAgents, readEntries, type KnownAgent, type WebsiteAgent } from './source-store.ts';
import { createPlan, toEntryKey, type PlannedEntry, type PlanOptions, type SyncPlan } from './sync-plan.ts';

type ReadEntry = { id: string; entryKey: string; agent: NewAgent; server: SourceServer | undefined };

export async function planSync(source: Source, options: PlanOptions): Promise<SyncPlan> {
  const { engine, crawl, readAgent, now } = options;
  const { db } = engine;
  const entries = await readEntries(db, source.name);
  const ids = [...entries.values()].flatMap(({ agentId }) => agentId ?? []);
  const known = await readAgents(db, ids);
  const pinned = await readPinned(db);
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
      const entry = planKnown(plan, before, agent, { known, pinned, now });
      if (entry?.isOrigin && server) followed.push({ entry, agent, server });
    }
  }
  const own = [...entries.values()].flatMap(({ agentId, isOrigin }) => (isOrigin ? (agentId ?? []) : []));
  followed.push(...(await planFresh(plan, fresh, { ...options, own: new Set(own) })));
  await planServers(plan, followed, options, known);
  await planAbsent(plan, db, entries, { known, present });
  return plan;
}

/** The id of the agent of an entry: the same one for two synchronisations at a time, so that it is added once. */
function toAgentId(source: string, entryKey: string): string {
  return toHashedId(`${source} ${entryKey}`);
}

/** Plans what becomes of an entry that an earlier synchronisation has seen; returns it if its agent follows the source. */
function planKnown(
  plan: SyncPlan,
  { goneAt, ...before }: AgentSource,
  agent: NewAgent,
  context: { known: Map<string, KnownAgent>; pinned: Awaited<ReturnType<typeof readPinned>>; now: string },
): AgentSource | undefined {
  const { known, pinned, now } = context;
  const { attribution, licence } = plan.source;
  const entry = { ...before, attribution, licence };
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
    const isSame = attribution === before.attribution && licence === before.licence && goneAt === undefined;
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
  { engine: { db }, planned, now, own }: PlanOptions & { own: ReadonlySet<string> },
): Promise<PresentEntry[]> {
  const { name: source, attribution, licence } = plan.source;
  const keys = new Set(fresh.flatMap(({ agent }) => toWebsiteKey(agent.website) ?? []));
  const found = await findByWebsite(db, keys);
  const known = await readAgents(
    db,
    fresh.map(({ entryKey }) => toAgentId(source, entryKey)),
  );
  const published = await findPublishedNames(
    db,
    fresh.flatMap(({ server }) => server?.name.toLowerCase() ?? []),
  );
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
