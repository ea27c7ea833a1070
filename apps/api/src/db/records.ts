import { fieldFilters, fieldNames, fields, listFields, rowOf, type Agent } from '@agent-registry/contracts';
import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { recordKinds, type FieldsOf, type KindName, type RecordKind, type RegistryRecord } from './record-kinds.ts';
import type { AgentRow, FieldColumn, Tables } from './tables.ts';

type Row = Record<string, unknown>;
type Untyped = Record<string, Row>;

const kinds: Record<string, RecordKind> = recordKinds;

/** The fields of an agent with their columns; a list is stored as JSON. */
export const agentColumns = fieldNames.map((field) => ({
  field,
  column: toColumnName(field) as keyof AgentRow,
  kind: fields[field].kind,
  isList: listFields.some((name) => name === field),
  isOptional: rowOf(field)?.isOptional,
}));

/** The filters by a field with their columns. */
export const fieldColumns = fieldFilters.map(({ name, field }) => ({
  name,
  column: toColumnName(field) as FieldColumn,
}));

export function toAgent(row: AgentRow): Agent {
  const agent: Row = {};
  for (const { field, column, isList, isOptional } of agentColumns) {
    if (isOptional && row[column] === null) continue;
    agent[field] = isList ? JSON.parse(row[column] as string) : row[column];
  }
  return agent as Agent;
}

export function toRecord<Kind extends KindName>(kind: Kind, row: object): FieldsOf<Kind> {
  return toFields(kinds[kind] as RecordKind, [row as Row]) as FieldsOf<Kind>;
}

/** Streams the records of a kind by their keys. */
export async function* streamRecords<Kind extends KindName>(db: Kysely<Tables>, kind: Kind) {
  const definition = kinds[kind] as RecordKind;
  const { table, key, condition, rows: list } = definition;
  const query = untyped(db).selectFrom(table).selectAll();
  const [first = ''] = key;
  let own: Row[] = [];
  for await (const row of walk(condition ? query.where(condition) : query, key)) {
    if (own[0] && (list === undefined || own[0][first] !== row[first])) {
      yield toFields(definition, own) as FieldsOf<Kind>;
      own = [];
    }
    own.push(row);
  }
  if (own.length > 0) yield toFields(definition, own) as FieldsOf<Kind>;
}

/**
 * Writes records of a kind in place of those with the same keys, as part of a transaction.
 * @param derive the columns that are no fields
 */
export async function writeRecords<Kind extends KindName>(
  db: Kysely<Tables>,
  kind: Kind,
  records: readonly FieldsOf<Kind>[],
  derive: (record: FieldsOf<Kind>) => object = () => ({}),
): Promise<void> {
  const definition = kinds[kind] as RecordKind;
  const { table, key } = definition;
  const rows = records.flatMap((record) => toRows(definition, record).map((row) => ({ ...row, ...derive(record) })));
  for (const chunk of chunksOf(rows)) {
    const columns = Object.keys(chunk[0] ?? {});
    const insert = untyped(db).insertInto(table).values(chunk);
    const isNumbered = !key.every((column) => columns.includes(column));
    await insert
      .$if(!isNumbered, (query) =>
        query.onConflict((conflict) =>
          conflict
            .columns(key)
            .doUpdateSet((update) =>
              Object.fromEntries(columns.map((column) => [column, update.ref(`excluded.${column}`)])),
            ),
        ),
      )
      .execute();
  }
}

/** Reads the records of a kind that agents have. */
export async function readRecordsOf<Kind extends KindName>(
  db: Kysely<Tables>,
  kind: Kind,
  ids: readonly string[],
): Promise<FieldsOf<Kind>[]> {
  const records: FieldsOf<Kind>[] = [];
  for (const chunk of chunksOf(ids)) {
    const rows = await untyped(db)
      .selectFrom((kinds[kind] as RecordKind).table)
      .selectAll()
      .where('agent_id', 'in', chunk)
      .execute();
    records.push(...rows.map((row) => toRecord(kind, row)));
  }
  return records;
}

/** Removes what the records tell of agents, as their kinds say. */
export async function eraseRecords(
  db: Kysely<Tables>,
  ids: readonly string[] | SelectQueryBuilder<Tables, keyof Tables, { id: string }>,
): Promise<void> {
  const selected = ids as readonly string[];
  for (const { table, erasure } of Object.values(kinds)) {
    if (erasure === 'remove') {
      await untyped(db).deleteFrom(table).where('agent_id', 'in', selected).execute();
    } else if (erasure) {
      const isFilled = (where: ExpressionBuilder<Untyped, string>) =>
        where.or(Object.entries(erasure).map(([column, empty]) => where(column, 'is distinct from', empty)));
      await untyped(db).updateTable(table).set(erasure).where('agent_id', 'in', selected).where(isFilled).execute();
    }
  }
}

/** A key that is unique among the records of a registry. */
export function identify(record: RegistryRecord): string {
  // An agent has one id in all its states.
  if (record.kind === 'tombstone') return record.id;
  const definition = kinds[record.kind];
  if (!definition) return (record as Extract<RegistryRecord, { kind: 'agent' }>).agent.id;
  const keys = Object.entries(record).filter(([field]) => definition.key.includes(toColumn(definition, field)));
  return JSON.stringify([record.kind, ...keys.map(([, value]) => value as unknown)]);
}

function toFields({ fields, rows: list, ...names }: Omit<RecordKind, 'table' | 'key'>, rows: readonly Row[]): Row {
  const record: Row = {};
  for (const [field, schema] of Object.entries(fields)) {
    const value = rows[0]?.[toColumn(names, field)];
    if (field === list) record[field] = rows.map((row) => toFields({ fields: fieldsOfItems(schema) }, [row]));
    else if (value === null && schema instanceof z.ZodOptional) continue;
    else if (names.json?.includes(field)) record[field] = JSON.parse(value as string) as unknown;
    else record[field] = schema instanceof z.ZodBoolean ? value === 1 : value;
  }
  return record;
}

function toRows({ fields, rows: list, ...names }: Omit<RecordKind, 'table' | 'key'>, record: object): Row[] {
  const row: Row = {};
  for (const field of Object.keys(fields)) {
    const value = (record as Row)[field] ?? null;
    const isJson = value !== null && names.json?.includes(field);
    // The database numbers rows in their order.
    if (field === list || field === 'number') continue;
    row[toColumn(names, field)] = isJson ? JSON.stringify(value) : typeof value === 'boolean' ? Number(value) : value;
  }
  if (list === undefined) return [row];
  const items = (record as Row)[list] as Row[];
  const itemFields = fieldsOfItems(fields[list] as z.ZodType);
  return items.flatMap((item) => toRows({ fields: itemFields }, item).map((own) => ({ ...row, ...own })));
}

function fieldsOfItems(list: z.ZodType): RecordKind['fields'] {
  return (list as z.ZodArray<z.ZodObject<RecordKind['fields']>>).element.shape;
}

function toColumn({ columns }: Pick<RecordKind, 'columns'>, field: string): string {
  return columns?.[field] ?? toColumnName(field);
}

function toColumnName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function untyped(db: Kysely<Tables>): Kysely<Untyped> {
  return db as unknown as Kysely<Untyped>;
}

/** Takes the first rows that together have at most `maxBytes`; at least one, if there are any. */
export function takeWithin<Row extends { size: number }>(rows: readonly Row[], maxBytes: number): Row[] {
  let bytes = 0;
  const end = rows.findIndex(({ size }, index) => (bytes += size) > maxBytes && index > 0);
  return end === -1 ? [...rows] : rows.slice(0, end);
}

export const ROWS_PER_STATEMENT = 500;

/** The tables that hold agents under their `seq`. */
export type AgentTable = 'agents' | 'unlisted_agents';

/** Splits a list into chunks, by default for one statement each. */
export function* chunksOf<Item>(items: readonly Item[], size = ROWS_PER_STATEMENT): Generator<Item[], void, undefined> {
  for (let begin = 0; begin < items.length; begin += size) yield items.slice(begin, begin + size);
}

/** Reads listed agents by their row numbers, in the same order, without those that are gone. */
export async function readBySeqs(db: Kysely<Tables>, seqs: readonly number[]): Promise<AgentRow[]> {
  if (seqs.length === 0) return [];
  const rows = await db.selectFrom('agents').selectAll().where('seq', 'in', seqs).execute();
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
}

/**
 * Streams the rows of a query in the order of their keys, in chunks of one statement each.
 * @param key the columns by which rows are unique
 */
export async function* walkChunks<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  key: readonly (keyof Row & string)[],
): AsyncGenerator<Row[], void, undefined> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const next = key.reduce((ordered, column) => ordered.orderBy(sql.ref(column)), query.limit(ROWS_PER_STATEMENT));
  for (let last: Row | undefined; ;) {
    const after = last && sql<boolean>`(${columns}) > (${sql.join(key.map((column) => (last as Row)[column]))})`;
    const rows = await (after ? next.where(after) : next).execute();
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_PER_STATEMENT) return;
    last = rows.at(-1);
  }
}

/** Streams the rows of a query in the order of their keys, as `walkChunks`. */
export async function* walk<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  key: readonly (keyof Row & string)[],
): AsyncGenerator<Row, void, undefined> {
  for await (const rows of walkChunks(query, key)) yield* rows;
}

/**
 * Whether a stored time has come. A time further ahead than the longest wait was written by a clock that ran ahead, and
 * has come, too.
 * @param column a column with ISO 8601 in UTC with milliseconds
 * @param time the time, in milliseconds since 1970
 * @param longest the longest wait that is written to the column, in milliseconds
 */
export function hasCome(column: string, time: number, longest: number): RawBuilder<boolean> {
  const [now, latest] = [time, time + longest].map((instant) => new Date(instant).toISOString());
  return sql<boolean>`(${sql.ref(column)} <= ${now} OR ${sql.ref(column)} > ${latest})`;
}

/** The condition of the agents that nobody has claimed: without a management key and without a proof of the website. */
export const isUnclaimed = sql<boolean>`agents.key_hash IS NULL AND agents.website_checked_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM publications WHERE publications.agent_id = agents.id)`;
