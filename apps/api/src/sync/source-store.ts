import type { Agent, EditableField, EntrySource, NamedEntry } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import { type Acting, recordAction } from '../actions/record-of-actions.ts';
import { chunksOf, toRecord, walk, writeRecords } from '../db/records.ts';
import { toStored } from '../agents/agent-rows.ts';
import { selectAgents } from '../agents/select-agents.ts';
import { findSharing, MAX_BESIDES } from '../agents/shared-connections.ts';
import { toUnlisted } from '../agents/unlisted-agents.ts';
import { readDocuments, writeDocuments, type ServerDocument } from '../servers/server-documents.ts';
import { findPublishedNames, readPublications } from '../servers/publications.ts';
import type { WantedName } from '../servers/name-rows.ts';
import { giveNames, planNames } from '../servers/source-names.ts';
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

/** An agent that a source may change. */
export type KnownAgent = {
  /** Undefined for one that was withdrawn so long ago that it is forgotten. */
  agent: Agent | undefined;
  state: 'listed' | UnlistedState;
  /** Whether it has a management key or a proof of its website, or was published: it is its owner's. */
  isClaimed: boolean;
};

/** Stores the sources of `registry sync` and what became of their entries. */
export type SourceStore = ReturnType<typeof createSourceStore>;

/**
 * Creates the store of sources over a database.
 * @param acting who pins fields, for the record of actions; undefined records nothing
 */
export function createSourceStore(engine: Engine, acting?: Acting) {
  const { db } = engine;

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

    /** How far a source was read; undefined before the end of its first synchronisation. */
    async find(source: string): Promise<SourceRecord | undefined> {
      const row = await db.selectFrom('sources').selectAll().where('name', '=', source).executeTakeFirst();
      return row && toRecord('source', row);
    },

    async entriesOf(source: string): Promise<Map<string, AgentSource>> {
      const own = db.selectFrom('agent_sources').selectAll().where('source', '=', source);
      const entries = new Map<string, AgentSource>();
      for await (const row of walk(own, ['entry_key'])) entries.set(row.entry_key, toRecord('agent-source', row));
      return entries;
    },

    /** The entries of other sources for these agents, by agent, the oldest first. */
    async othersOf(source: string, agentIds: readonly string[]): Promise<Map<string, AgentSource[]>> {
      const others: AgentSource[] = [];
      for (const chunk of chunksOf(agentIds)) {
        const rows = await db
          .selectFrom('agent_sources')
          .selectAll()
          .where('agent_id', 'in', chunk)
          .where('source', '!=', source)
          .orderBy('imported_at')
          .orderBy('source')
          .execute();
        others.push(...rows.map((row) => toRecord('agent-source', row)));
      }
      return Map.groupBy(others, ({ agentId }) => agentId as string);
    },

    readAgents: (ids: readonly string[]) => readAgents(db, ids),

    findByWebsite: (keys: ReadonlySet<string>) => findByWebsite(db, keys),

    findPublishedNames: (names: readonly string[]) => findPublishedNames(db, names),

    readPinned: () => readPinned(db),

    /** The present versions of MCP servers as their sources gave them, by the ids of their agents. */
    readDocuments: (ids: readonly string[]) => readDocuments(db, ids),

    /**
     * Finds which agents can have the names of their servers, and which do not have them yet. Names of this registry are
     * formed here only.
     * @param named as in `planNames`
     */
    planNames(wanted: readonly WantedName[], named: readonly string[] | undefined) {
      const own = engine.serverNamespace === undefined ? undefined : `${engine.serverNamespace}/`;
      const foreign = wanted.filter(({ name }) => own === undefined || !name.toLowerCase().startsWith(own));
      return planNames(db, foreign, named);
    },

    giveNames: (wanted: readonly WantedName[], named: readonly string[] | undefined) =>
      giveNames(engine, wanted, named),

    /** Writes the present versions of MCP servers. */
    async writeDocuments(documents: readonly ServerDocument[]): Promise<void> {
      await db.transaction().execute((transaction) => writeDocuments(transaction, documents));
    },

    /**
     * Changes which fields of an imported agent no synchronisation changes.
     * @returns the pinned fields; undefined if no source has the agent
     */
    pin: (agentId: string, change: ChangePins) => pinFields(engine, acting, agentId, change),

    async write(entries: readonly AgentSource[]): Promise<void> {
      await db.transaction().execute((transaction) => writeRecords(transaction, 'agent-source', entries));
    },

    async remove(source: string, entryKeys: readonly string[]): Promise<void> {
      for (const chunk of chunksOf(entryKeys)) {
        await db.deleteFrom('agent_sources').where('source', '=', source).where('entry_key', 'in', chunk).execute();
      }
    },

    /** Notes how far a source was read. */
    finish: (record: SourceRecord) => writeRecords(db, 'source', [record]),
  };
}

type ChangePins = (pinned: ReadonlySet<EditableField>) => ReadonlySet<EditableField>;

function pinFields(
  engine: Engine,
  acting: Acting | undefined,
  agentId: string,
  change: ChangePins,
): Promise<EditableField[] | undefined> {
  return engine.db.transaction().execute(async (transaction) => {
    await engine.lockWrites(transaction);
    const entry = await transaction
      .selectFrom('agent_sources')
      .select('agent_id')
      .where('agent_id', '=', agentId)
      .executeTakeFirst();
    if (!entry) return undefined;
    const former = (await readPinned(transaction, [agentId])).get(agentId) ?? new Set();
    const pinned = change(former);
    if (pinned.size !== former.size || [...pinned].some((field) => !former.has(field))) {
      await writePinned(transaction, { agentId, fields: [...pinned] });
      const name = (await readAgents(transaction, [agentId])).get(agentId)?.agent?.name;
      await recordAction(transaction, acting, [{ id: agentId, name: name ?? null }]);
    }
    return [...pinned];
  });
}

/** An agent that has the website of an entry. */
export type WebsiteAgent = {
  agent: Agent;
  state: KnownAgent['state'];
  /** Whether its owner has shown control of its website. */
  isProved: boolean;
  /** Whether its texts come from a source, and nobody has claimed it. */
  isFollowed: boolean;
};

/**
 * Finds agents with one of these websites, by the keys of `toWebsiteKey`, listed ones first; of any state, without those
 * that were withdrawn with their entry.
 */
async function findByWebsite(db: Kysely<Tables>, keys: ReadonlySet<string>): Promise<Map<string, WebsiteAgent[]>> {
  if (keys.size === 0) return new Map();
  const found: { agent: Agent; state: KnownAgent['state']; isClaimed: boolean }[] = [];
  for (const chunk of chunksOf([...keys])) {
    const rows = await db.selectFrom('agents').selectAll().where('website_key', 'in', chunk).orderBy('seq').execute();
    for (const { agent, keyHash } of rows.map(toStored)) found.push(toKnown('listed', agent, keyHash));
  }
  for await (const { agent, state, keyHash } of selectAgents(db, {}, unlistedStates)) {
    if (keys.has(toWebsiteKey(agent.website) ?? '')) found.push(toKnown(state, agent, keyHash));
  }
  const ids = found.map(({ agent }) => agent.id);
  const published = await readPublications(db, ids);
  const entries: AgentSource[] = [];
  for (const chunk of chunksOf(ids)) {
    const rows = await db.selectFrom('agent_sources').selectAll().where('agent_id', 'in', chunk).execute();
    entries.push(...rows.map((row) => toRecord('agent-source', row)));
  }
  const imported = new Set(entries.flatMap(({ agentId, isOrigin }) => (isOrigin ? agentId : [])));
  const gone = new Set(entries.flatMap(({ agentId, goneAt }) => (goneAt === undefined ? [] : agentId)));
  const others = found
    .filter(({ agent, state }) => state !== 'withdrawn' || !gone.has(agent.id))
    .map(({ agent, state, isClaimed }) => ({
      agent,
      state,
      isProved: agent.websiteCheckedAt !== undefined,
      isFollowed: state === 'listed' && !isClaimed && !published.has(agent.id) && imported.has(agent.id),
    }));
  return Map.groupBy(others, ({ agent }) => toWebsiteKey(agent.website) as string);
}

async function readAgents(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, KnownAgent>> {
  const known = new Map<string, KnownAgent>();
  for (const chunk of chunksOf(ids)) {
    const listed = await db.selectFrom('agents').selectAll().where('id', 'in', chunk).execute();
    for (const { agent, keyHash } of listed.map(toStored)) known.set(agent.id, toKnown('listed', agent, keyHash));
    const unlisted = await db.selectFrom('unlisted_agents').selectAll().where('id', 'in', chunk).execute();
    for (const row of unlisted) {
      const { agent, keyHash } = row.agent === null ? {} : toUnlisted(row);
      known.set(row.id, toKnown(row.state, agent, keyHash));
    }
    for (const id of (await readPublications(db, chunk)).keys()) {
      const found = known.get(id);
      if (found) known.set(id, { ...found, isClaimed: true });
    }
  }
  return known;
}

function toKnown<Found extends Agent | undefined>(
  state: KnownAgent['state'],
  agent: Found,
  keyHash: string | undefined,
): KnownAgent & { agent: Found } {
  return { agent, state, isClaimed: keyHash !== undefined || agent?.websiteCheckedAt !== undefined };
}
