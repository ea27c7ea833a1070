import type { Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Acting } from '../actions/operator-action.ts';
import { recordAction } from '../actions/record-of-actions.ts';
import { chunksOf } from '../db/walk.ts';
import { toStored } from '../agents/agent-rows.ts';
import { toAgent } from '../db/records.ts';
import { selectUnlisted } from '../agents/select-agents.ts';
import { toUnlisted } from '../agents/unlisted-agents.ts';
import { toWebsiteKey } from '../agents/website-key.ts';
import type { Engine } from '../db/engine.ts';
import { toRecord, writeRecords } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import {
  readEntrySources,
  readPinned,
  streamEntriesOf,
  toAgentSource,
  writePinned,
  type AgentSource,
} from './agent-sources.ts';
import type { KnownAgent, SourceStore } from './source-store.ts';

/**
 * Creates the store of sources over a database.
 * @param acting who pins fields, for the record of actions; undefined records nothing
 */
export function createKyselySourceStore(engine: Engine, acting?: Acting): SourceStore {
  const { db } = engine;

  return {
    async ofAgent(agentId) {
      return (await readEntrySources(db, [agentId])).get(agentId) ?? [];
    },

    async find(source) {
      const row = await db.selectFrom('sources').selectAll().where('name', '=', source).executeTakeFirst();
      return row && toRecord('source', row);
    },

    async entriesOf(source) {
      const entries = new Map<string, AgentSource>();
      for await (const entry of streamEntriesOf(db, source)) entries.set(entry.entryKey, entry);
      return entries;
    },

    async othersOf(source, agentIds) {
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
        others.push(...rows.map(toAgentSource));
      }
      return Map.groupBy(others, ({ agentId }) => agentId as string);
    },

    readAgents: (ids) => readAgents(db, ids),

    findByWebsite: (keys) => findByWebsite(db, keys),

    readPinned: () => readPinned(db),

    async pin(agentId, change) {
      return db.transaction().execute(async (transaction) => {
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
    },

    async write(entries) {
      await db.transaction().execute((transaction) => writeRecords(transaction, 'agent-source', entries));
    },

    async remove(source, entryKeys) {
      for (const chunk of chunksOf(entryKeys)) {
        await db.deleteFrom('agent_sources').where('source', '=', source).where('entry_key', 'in', chunk).execute();
      }
    },

    finish: (record) => writeRecords(db, 'source', [record]),
  };
}

/** Finds agents in any state by the keys of their websites, without withdrawn ones that are gone from their source. */
async function findByWebsite(db: Kysely<Tables>, keys: ReadonlySet<string>): Promise<Map<string, Agent[]>> {
  const found = new Map<string, Agent[]>();
  const note = (agent: Agent) => {
    const key = toWebsiteKey(agent.website);
    if (key !== null && keys.has(key)) found.set(key, [...(found.get(key) ?? []), agent]);
  };
  for (const chunk of chunksOf([...keys])) {
    const rows = await db.selectFrom('agents').selectAll().where('website_key', 'in', chunk).orderBy('seq').execute();
    for (const row of rows) note(toAgent(row));
  }
  if (keys.size === 0) return found;
  const gone = await db.selectFrom('agent_sources').select('agent_id').where('gone_at', 'is not', null).execute();
  const goneIds = new Set(gone.map(({ agent_id: id }) => id));
  for await (const { agent, state } of selectUnlisted(db)) {
    if (state !== 'withdrawn' || !goneIds.has(agent.id)) note(agent);
  }
  return found;
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
  }
  return known;
}

function toKnown(state: KnownAgent['state'], agent: Agent | undefined, keyHash: string | undefined): KnownAgent {
  return { agent, state, isClaimed: keyHash !== undefined || agent?.websiteCheckedAt !== undefined };
}
