import { sql, type RawBuilder } from 'kysely';

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
