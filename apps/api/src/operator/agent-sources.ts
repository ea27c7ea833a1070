import type { EditableField, EntrySource } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import { isUnclaimed, readRecordsOf, writeRecords } from '../db/records.ts';
import type { FieldsOf } from '../db/record-kinds.ts';
import type { Tables } from '../db/tables.ts';

/**
 * An entry of a source, and the agent that it became: null after that was erased or forgotten. Its texts come from this
 * source if it is the origin; others have the same website. It is gone if the source no longer has it.
 */
export type AgentSource = FieldsOf<'agent-source'>;
export type SourceRecord = FieldsOf<'source'>;

/** Reads from where agents that nobody has claimed were imported, by their ids: the origin first. */
export async function readEntrySources(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<Map<string, EntrySource[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('agent_sources')
    .innerJoin('agents', 'agents.id', 'agent_sources.agent_id')
    .leftJoin('server_documents', (join) =>
      join
        .onRef('server_documents.agent_id', '=', 'agents.id')
        .on('is_latest', '=', sql.lit(1))
        .on('status', '=', 'deprecated'),
    )
    .selectAll('agent_sources')
    .select(['status', 'status_message'])
    .where('agents.id', 'in', ids)
    .where(isUnclaimed)
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

type SourceRow = Tables['agent_sources'] & { status: string | null; status_message: string | null };

function toEntrySource({ attribution, licence, imported_at: at, ...row }: SourceRow): EntrySource {
  const isDeprecated = row.is_origin === 1 && row.status !== null;
  return { attribution, licence, day: at.slice(0, 10), ...(isDeprecated && { deprecated: row.status_message ?? '' }) };
}

/** The entries of sources that an agent came from, the origin of its texts first. */
export async function readSourcesOf(db: Kysely<Tables>, agentId: string): Promise<AgentSource[]> {
  const keyOf = ({ isOrigin, source, entryKey }: AgentSource) => `${isOrigin ? 0 : 1} ${source} ${entryKey}`;
  const entries = await readRecordsOf(db, 'agent-source', [agentId]);
  return entries.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

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

export async function writePinned(db: Kysely<Tables>, pinned: FieldsOf<'pinned'>): Promise<void> {
  if (pinned.fields.length > 0) await writeRecords(db, 'pinned', [pinned]);
  else await db.deleteFrom('pinned_fields').where('agent_id', '=', pinned.agentId).execute();
}
