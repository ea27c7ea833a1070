import type { Agent, EditableField, EntrySource, NamedEntry } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import { type Acting, recordAction } from '../actions/record-of-actions.ts';
import { chunksOf, readRecordsOf, toRecord, walk, writeRecords } from '../db/records.ts';
import { toStored, type OwnedAgent } from '../agents/agent-rows.ts';
import { selectAgents } from '../agents/select-agents.ts';
import { findSharing, MAX_BESIDES } from '../agents/text-keys.ts';
import { toUnlisted } from '../agents/unlisted-agents.ts';
import { readPublications } from '../publisher/publications.ts';
import { toWebsiteKey } from '../agents/text-keys.ts';
import type { Engine } from '../db/engine.ts';
import { unlistedStates, type UnlistedState } from '../db/states.ts';
import type { Tables } from '../db/tables.ts';
import {
  readEntrySources,
  readPinned,
  writePinned,
  type AgentSource,
  type SourceRecord,
} from '../operator/agent-sources.ts';

export type KnownAgent = {
  /** Undefined for one that was withdrawn so long ago that it is forgotten. */
  agent: Agent | undefined;
  state: 'listed' | UnlistedState;
  /** Whether it has a management key or a proof of its website, or was published: it is its owner's. */
  isClaimed: boolean;
};

export function createSourceStore({ db }: Pick<Engine, 'db'>) {
  return {
    /** From where an agent that nobody has claimed was imported, the origin of its texts first. */
    async ofAgent(agentId: string): Promise<EntrySource[]> {
      return (await readEntrySources(db, [agentId])).get(agentId) ?? [];
    },

    /**
     * Listed entries with a connection of an agent; then those with its website, of which a source brought the one and
     * somebody registered the other.
     */
    async besides(agent: Agent): Promise<NamedEntry[]> {
      const { id, website } = agent;
      const sharing = await findSharing(db, agent);
      const key = toWebsiteKey(website);
      if (key === null) return sharing;
      const [own] = await db.selectFrom('agent_sources').select('source').where('agent_id', '=', id).limit(1).execute();
      const isImported = sql<boolean>`EXISTS (SELECT 1 FROM agent_sources WHERE agent_id = agents.id)`;
      const ids = [id, ...sharing.map((other) => other.id)];
      const others = await db
        .selectFrom('agents')
        .select(['id', 'name'])
        .where('website_key', '=', key)
        .where('id', 'not in', ids)
        .where(own ? sql<boolean>`NOT ${isImported}` : isImported)
        .orderBy('seq')
        .limit(MAX_BESIDES)
        .execute();
      return [...sharing, ...others.map((other) => ({ ...other, shares: 'website' as const }))];
    },
  };
}

/** How far a source was read; undefined before the end of its first synchronisation. */
export async function findSource(db: Kysely<Tables>, name: string): Promise<SourceRecord | undefined> {
  const row = await db.selectFrom('sources').selectAll().where('name', '=', name).executeTakeFirst();
  return row && toRecord('source', row);
}

export async function readEntries(db: Kysely<Tables>, source: string): Promise<Map<string, AgentSource>> {
  const own = db.selectFrom('agent_sources').selectAll().where('source', '=', source);
  const entries = new Map<string, AgentSource>();
  for await (const row of walk(own, ['entry_key'])) entries.set(row.entry_key, toRecord('agent-source', row));
  return entries;
}

export async function writeEntries(db: Kysely<Tables>, entries: readonly AgentSource[]): Promise<void> {
  await db.transaction().execute((transaction) => writeRecords(transaction, 'agent-source', entries));
}

export async function removeEntries(db: Kysely<Tables>, source: string, entryKeys: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(entryKeys)) {
    await db.deleteFrom('agent_sources').where('source', '=', source).where('entry_key', 'in', chunk).execute();
  }
}

/** Changes which fields of an imported agent no synchronisation changes; undefined if no source has the agent. */
export function pinFields(
  engine: Engine,
  acting: Acting | undefined,
  agentId: string,
  change: (pinned: ReadonlySet<EditableField>) => readonly EditableField[],
): Promise<EditableField[] | undefined> {
  return engine.db.transaction().execute(async (transaction) => {
    await engine.lockWrites(transaction);
    if ((await readRecordsOf(transaction, 'agent-source', [agentId])).length === 0) return undefined;
    const former = (await readPinned(transaction, [agentId])).get(agentId) ?? new Set();
    const pinned = new Set(change(former));
    if (pinned.size !== former.size || [...pinned].some((field) => !former.has(field))) {
      await writePinned(transaction, { agentId, fields: [...pinned] });
      const name = (await readAgents(transaction, [agentId])).get(agentId)?.agent?.name;
      await recordAction(transaction, acting, [{ id: agentId, name: name ?? null }]);
    }
    return [...pinned];
  });
}

export type WebsiteAgent = {
  agent: Agent;
  state: KnownAgent['state'];
  isProved: boolean;
  /** Whether its texts come from a source, and nobody has claimed it. */
  isFollowed: boolean;
};

/**
 * Finds agents with one of these websites, by the keys of `toWebsiteKey`, listed ones first; of any state, without those
 * that were withdrawn with their entry.
 */
export async function findByWebsite(
  db: Kysely<Tables>,
  keys: ReadonlySet<string>,
): Promise<Map<string, WebsiteAgent[]>> {
  if (keys.size === 0) return new Map();
  const ids: string[] = [];
  for (const chunk of chunksOf([...keys])) {
    const rows = await db.selectFrom('agents').select('id').where('website_key', 'in', chunk).orderBy('seq').execute();
    ids.push(...rows.map(({ id }) => id));
  }
  for await (const { agent } of selectAgents(db, {}, unlistedStates)) {
    if (keys.has(toWebsiteKey(agent.website) ?? '')) ids.push(agent.id);
  }
  const known = await readAgents(db, ids);
  const entries = await readRecordsOf(db, 'agent-source', ids);
  const imported = new Set(entries.flatMap(({ agentId, isOrigin }) => (isOrigin ? agentId : [])));
  const gone = new Set(entries.flatMap(({ agentId, goneAt }) => (goneAt === undefined ? [] : agentId)));
  const found = ids.flatMap((id): WebsiteAgent[] => {
    const { agent, state = 'listed', isClaimed } = known.get(id) ?? {};
    if (!agent || (state === 'withdrawn' && gone.has(id))) return [];
    const isFollowed = state === 'listed' && !isClaimed && imported.has(id);
    return [{ agent, state, isProved: agent.websiteCheckedAt !== undefined, isFollowed }];
  });
  return Map.groupBy(found, ({ agent }) => toWebsiteKey(agent.website) as string);
}

export async function readAgents(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, KnownAgent>> {
  const known = new Map<string, KnownAgent>();
  for (const chunk of chunksOf(ids)) {
    const published = await readPublications(db, chunk);
    const note = (id: string, state: KnownAgent['state'], { agent, keyHash }: Partial<OwnedAgent>) => {
      const isClaimed = keyHash !== undefined || agent?.websiteCheckedAt !== undefined || published.has(id);
      known.set(id, { agent, state, isClaimed });
    };
    const listed = await db.selectFrom('agents').selectAll().where('id', 'in', chunk).execute();
    for (const row of listed) note(row.id, 'listed', toStored(row));
    const unlisted = await db.selectFrom('unlisted_agents').selectAll().where('id', 'in', chunk).execute();
    for (const row of unlisted) note(row.id, row.state, row.agent === null ? {} : toUnlisted(row));
  }
  return known;
}
