import { sql } from 'kysely';
import type { Engine } from '../db/engine.ts';
import { streamRows, type Lists } from './list-pages.ts';

/** The months in which agents were listed, such as `2026-11`, oldest first. */
export async function listMonths(engine: Engine): Promise<string[]> {
  const months = engine.db.selectFrom('agents').select(sql<string>`substr(listed_at, 1, 7)`.as('month'));
  return (await engine.readMuch(months.distinct().orderBy('month'))).map(({ month }) => month);
}

/** The time of the last change in each part of a month: `size` agents in the order in which they were listed first. */
export async function datePartsOf(engine: Engine, month: string, size: number): Promise<string[]> {
  const numbered = selectMonth(engine, month).select(({ fn }) => [
    'changed_at',
    fn
      .agg<number>('row_number')
      .over((over) => over.orderBy('listed_at').orderBy('seq'))
      .as('number'),
  ]);
  const parts = engine.db
    .selectFrom(numbered.as('agents'))
    .select(({ fn }) => [
      sql<number>`(number - 1) / ${sql.lit(size)}`.as('part'),
      fn.max<string>('changed_at').as('changed_at'),
    ]);
  return (await engine.readMuch(parts.groupBy('part').orderBy('part'))).map(({ changed_at }) => changed_at);
}

/** The agents of a part, counted from 1; undefined if it has none. */
export async function streamPart(lists: Lists, { month, part, size }: { month: string; part: number; size: number }) {
  const numbers = selectMonth(lists, month).select('seq').orderBy('listed_at').orderBy('seq');
  const rows = await lists.readMuch(numbers.limit(size).offset((part - 1) * size));
  const seqs = rows.map(({ seq }) => seq);
  return seqs.length > 0 ? streamRows(lists, seqs) : undefined;
}

function selectMonth({ db }: Engine, month: string) {
  // Later than any day of the month.
  return db.selectFrom('agents').where('listed_at', '>=', month).where('listed_at', '<', `${month}-32`);
}
