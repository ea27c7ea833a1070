import type { EditableField, EntrySource } from '@agent-registry/contracts';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { chunksOf, ROWS_PER_STATEMENT } from '../db/agent-chunks.ts';
import type { Tables } from '../db/tables.ts';
import type { AgentSourceRow } from './source-tables.ts';

/** An entry of a source, and the agent that it became. */
export type AgentSource = {
  /** The name of the source. */
  source: string;
  /** A hash of what the source calls the entry (`toEntryKey`). */
  entryKey: string;
  /** Null after the agent was erased or forgotten. */
  agentId: string | null;
  /** Whether the texts of the agent come from this source; others have the same website. */
  isOrigin: boolean;
  /** The source as people read it, such as `MCP Registry`. */
  attribution: string;
  licence: string;
  /** When its texts were taken over last: ISO 8601 in UTC. */
  importedAt: string;
  /** When the agent was withdrawn because the source no longer has the entry. */
  goneAt?: string | undefined;
};

/** How far a source was read: null where it is read as a whole each time. */
export type SourceRecord = { name: string; address: string; mark: string | null; syncedAt: string };

/** The fields of an agent that no synchronisation changes. */
export type PinnedRecord = { agentId: string; fields: EditableField[] };

/**
 * Reads from where agents were imported, by their ids: the origin first. Without agents that have a management key or a
 * proved website, since these are their owners'.
 */
export async function readEntrySources(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<Map<string, EntrySource[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('agent_sources')
    .innerJoin('agents', 'agents.id', 'agent_sources.agent_id')
    .selectAll('agent_sources')
    .where('agents.id', 'in', ids)
    .where('key_hash', 'is', null)
    .where('website_checked_at', 'is', null)
    .orderBy('is_origin', 'desc')
    .orderBy('source')
    .orderBy('entry_key')
    .execute();
  const byAgent = Map.groupBy(rows, (row) => row.agent_id as string);
  // Without an origin the texts are not imported.
  const imported = [...byAgent].filter(([, own]) => own[0]?.is_origin === 1);
  return new Map(imported.map(([id, own]) => [id, withoutRepeated(own.map(toEntrySource))]));
}

/** A source that has several entries with one website is named once. */
function withoutRepeated(sources: readonly EntrySource[]): EntrySource[] {
  const keyOf = ({ attribution, licence }: EntrySource) => JSON.stringify([attribution, licence]);
  return [...Map.groupBy(sources, keyOf).values()].flatMap(([first]) => first ?? []);
}

function toEntrySource({ attribution, licence, imported_at: at }: AgentSourceRow): EntrySource {
  return { attribution, licence, day: at.slice(0, 10) };
}

/** Reads an entry from its row. */
export function toAgentSource(row: AgentSourceRow): AgentSource {
  return {
    source: row.source,
    entryKey: row.entry_key,
    agentId: row.agent_id,
    isOrigin: row.is_origin === 1,
    attribution: row.attribution,
    licence: row.licence,
    importedAt: row.imported_at,
    ...(row.gone_at !== null && { goneAt: row.gone_at }),
  };
}

/** Reads the entries of sources that an agent came from, the origin of its texts first. */
export async function readSourcesOf(db: Kysely<Tables>, agentId: string): Promise<AgentSource[]> {
  const rows = await db
    .selectFrom('agent_sources')
    .selectAll()
    .where('agent_id', '=', agentId)
    .orderBy('is_origin', 'desc')
    .orderBy('source')
    .orderBy('entry_key')
    .execute();
  return rows.map(toAgentSource);
}

/** Writes entries in place of the former ones. */
export async function writeAgentSources(db: Kysely<Tables>, entries: readonly AgentSource[]): Promise<void> {
  const rows = entries.map(({ source, entryKey, agentId, isOrigin, attribution, licence, importedAt, goneAt }) => ({
    source,
    entry_key: entryKey,
    agent_id: agentId,
    is_origin: isOrigin ? (1 as const) : (0 as const),
    attribution,
    licence,
    imported_at: importedAt,
    gone_at: goneAt ?? null,
  }));
  for (const chunk of chunksOf(rows)) {
    await db
      .insertInto('agent_sources')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.columns(['source', 'entry_key']).doUpdateSet((update) => ({
          agent_id: update.ref('excluded.agent_id'),
          is_origin: update.ref('excluded.is_origin'),
          attribution: update.ref('excluded.attribution'),
          licence: update.ref('excluded.licence'),
          imported_at: update.ref('excluded.imported_at'),
          gone_at: update.ref('excluded.gone_at'),
        })),
      )
      .execute();
  }
}

/**
 * Removes the pinned fields of agents, and all that is known of their sources: of each entry its key stays, by which no
 * synchronisation adds the agent again.
 */
export async function removeSources(
  db: Kysely<Tables>,
  ids: readonly string[] | SelectQueryBuilder<Tables, keyof Tables, { id: string }>,
): Promise<void> {
  if (Array.isArray(ids) && ids.length === 0) return;
  await db
    .updateTable('agent_sources')
    .set({ agent_id: null, is_origin: 0, attribution: '', licence: '', gone_at: null })
    .where('agent_id', 'in', ids)
    .execute();
  await db.deleteFrom('pinned_fields').where('agent_id', 'in', ids).execute();
}

/**
 * Forgets the sources of agents that are forgotten themselves. An entry that its source no longer had is unknown after
 * that, so that it can come back.
 */
export async function forgetSources(db: Kysely<Tables>): Promise<void> {
  const forgotten = db.selectFrom('unlisted_agents').select('id').where('agent', 'is', null);
  await db.deleteFrom('agent_sources').where('gone_at', 'is not', null).where('agent_id', 'in', forgotten).execute();
  await removeSources(db, forgotten);
}

/** Streams all entries of all sources. */
export async function* streamAgentSources(db: Kysely<Tables>): AsyncGenerator<AgentSource, void, undefined> {
  for (const { source } of await db
    .selectFrom('agent_sources')
    .select('source')
    .distinct()
    .orderBy('source')
    .execute()) {
    yield* streamEntriesOf(db, source);
  }
}

/** Streams the entries of a source by their keys. */
export async function* streamEntriesOf(
  db: Kysely<Tables>,
  source: string,
): AsyncGenerator<AgentSource, void, undefined> {
  for (let last: string | undefined = ''; last !== undefined;) {
    const rows: AgentSourceRow[] = await db
      .selectFrom('agent_sources')
      .selectAll()
      .where('source', '=', source)
      .where('entry_key', '>', last)
      .orderBy('entry_key')
      .limit(ROWS_PER_STATEMENT)
      .execute();
    yield* rows.map(toAgentSource);
    last = rows.at(-1)?.entry_key;
  }
}

/** Reads the fields of agents that no synchronisation changes. */
export async function readPinned(
  db: Kysely<Tables>,
  ids?: readonly string[],
): Promise<Map<string, ReadonlySet<EditableField>>> {
  const rows = await db
    .selectFrom('pinned_fields')
    .selectAll()
    .$if(ids !== undefined, (query) => query.where('agent_id', 'in', ids as string[]))
    .orderBy('agent_id')
    .execute();
  return new Map(rows.map(({ agent_id: id, fields }) => [id, new Set(JSON.parse(fields) as EditableField[])]));
}

/** Writes the fields of an agent that no synchronisation changes, in place of the former ones. */
export async function writePinned(db: Kysely<Tables>, { agentId, fields }: PinnedRecord): Promise<void> {
  if (fields.length === 0) {
    await db.deleteFrom('pinned_fields').where('agent_id', '=', agentId).execute();
    return;
  }
  const row = { fields: JSON.stringify(fields) };
  await db
    .insertInto('pinned_fields')
    .values({ agent_id: agentId, ...row })
    .onConflict((conflict) => conflict.column('agent_id').doUpdateSet(row))
    .execute();
}

/** Reads how far the sources were read. */
export async function readSourceRecords(db: Kysely<Tables>): Promise<SourceRecord[]> {
  const rows = await db.selectFrom('sources').selectAll().orderBy('name').execute();
  return rows.map(({ synced_at: syncedAt, ...row }) => ({ ...row, syncedAt }));
}

/** Writes how far a source was read, in place of the former record. */
export async function writeSourceRecord(
  db: Kysely<Tables>,
  { name, address, mark, syncedAt }: SourceRecord,
): Promise<void> {
  const row = { address, mark, synced_at: syncedAt };
  await db
    .insertInto('sources')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}
