import type { ListedAgent } from '@agent-registry/contracts';
import { sql } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { ListPages } from './list-pages.ts';

/** Agents that were listed first in the same month, in that order. */
export type MonthPart = {
  /** The month in UTC, such as `2026-11`. */
  month: string;
  /** The number of the part, from 1. */
  part: number;
  /** The most agents of a part. */
  size: number;
};

/** Creates the functions that list agents by the month in which they were listed first. */
export function createMonthLists(engine: Engine, { streamRows }: ListPages) {
  const { db } = engine;
  return { countByMonth, lastChangeOf, streamPart };

  /** Counts the agents of each month that has some. */
  function countByMonth(): Promise<{ month: string; agents: number }[]> {
    const months = db
      .selectFrom('agents')
      .select((counted) => [
        sql<string>`substr(listed_at, 1, 7)`.as('month'),
        counted.fn.countAll<number>().as('agents'),
      ]);
    return engine.readMuch(months.groupBy('month').orderBy('month'));
  }

  /** The time of the last change of an agent of a part; undefined if it has none. */
  async function lastChangeOf(part: MonthPart): Promise<string | undefined> {
    const changes = db.selectFrom(select(part).select('changed_at').as('changes'));
    const [last] = await engine.readMuch(
      changes.select((agents) => agents.fn.max<string | null>('changed_at').as('at')),
    );
    return last?.at ?? undefined;
  }

  async function* streamPart(part: MonthPart): AsyncGenerator<ListedAgent[], void, undefined> {
    const rows = await engine.readMuch(select(part).select('seq'));
    yield* streamRows(rows.map(({ seq }) => seq));
  }

  function select({ month, part, size }: MonthPart) {
    return (
      db
        .selectFrom('agents')
        .where('listed_at', '>=', month)
        // Later than any day of the month.
        .where('listed_at', '<', `${month}-32`)
        .orderBy('listed_at')
        .orderBy('seq')
        .limit(size)
        .offset((part - 1) * size)
    );
  }
}
