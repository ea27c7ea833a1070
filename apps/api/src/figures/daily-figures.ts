import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { DailyFiguresTable } from './daily-figures-table.ts';

const DAY = 86_400_000;
/** How many days are kept: as long as changes. */
export const MAX_FIGURE_DAYS = 400;
/** How long figures are kept, in milliseconds. */
export const FIGURES_PERIOD = MAX_FIGURE_DAYS * DAY;
/** The days that are read by default. */
const SHOWN_DAYS = 90;

/** The figures that are counted here. The views of a day are counted with those of agents. */
export type Figures = {
  /** Agents registered by visitors, those that were held included. */
  registrations: number;
  /** Edits by owners, those that wait for review included. */
  edits: number;
  /** Reports of problems with agents. */
  reports: number;
  /** Searches that found no agent, of people and programs but not of crawlers. */
  searchesWithoutResult: number;
  /** Requests that a rate limit refused. */
  rateLimitedCalls: number;
};

/** The figures of a UTC day, such as `2026-11-21`. */
export type DailyFigures = Figures & { day: string; views: number };

const columns = {
  registrations: 'registrations',
  edits: 'edits',
  reports: 'reports',
  searchesWithoutResult: 'searches_without_result',
  rateLimitedCalls: 'rate_limited_calls',
} as const satisfies Record<keyof Figures, keyof DailyFiguresTable>;

const figureNames = Object.keys(columns) as (keyof Figures)[];

/** The UTC day of a time in milliseconds since 1970. */
export function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/**
 * Adds to the figures of a day, alone or at the end of the transaction that has done what is counted: all writers of a day
 * share its row.
 * @param day the UTC day, such as `2026-11-21`
 */
export async function addToFigures(db: Kysely<Tables>, day: string, added: Partial<Figures>): Promise<void> {
  const counted = figureNames.filter((name) => (added[name] ?? 0) > 0).map((name) => columns[name]);
  if (counted.length === 0) return;
  await db
    .insertInto('daily_figures')
    .values({ day, ...toRow(added) })
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet((update) =>
          Object.fromEntries(
            counted.map((column) => [
              column,
              update(update.ref(`daily_figures.${column}`), '+', update.ref(`excluded.${column}`)),
            ]),
          ),
        ),
    )
    .execute();
}

/** Reads the figures of the last days, oldest first; days on which nothing happened are zeros. */
export async function readDailyFigures(
  db: Kysely<Tables>,
  { days = SHOWN_DAYS, now = Date.now() }: { days?: number; now?: number } = {},
): Promise<DailyFigures[]> {
  const shown = Array.from({ length: days }, (_, index) => toDay(now - (days - 1 - index) * DAY));
  const first = shown[0] ?? '';
  const rows = await db.selectFrom('daily_figures').selectAll().where('day', '>=', first).execute();
  const viewed = await db.selectFrom('daily_views').selectAll().where('day', '>=', first).execute();
  const figures = new Map(rows.map((row) => [row.day, toFigures(row)]));
  const views = new Map(viewed.map((row) => [row.day, row.views]));
  return shown.map((day) => ({ day, ...(figures.get(day) ?? toFigures({})), views: views.get(day) ?? 0 }));
}

/**
 * Deletes the figures that are older than 400 days.
 * @param time the time, in milliseconds since 1970
 */
export async function forgetFigures(db: Kysely<Tables>, time: number): Promise<void> {
  await db
    .deleteFrom('daily_figures')
    .where('day', '<', toDay(time - FIGURES_PERIOD))
    .execute();
}

type FigureRow = Record<(typeof columns)[keyof Figures], number>;

function toRow(figures: Partial<Figures>): FigureRow {
  return Object.fromEntries(figureNames.map((name) => [columns[name], figures[name] ?? 0])) as FigureRow;
}

function toFigures(row: Partial<FigureRow>): Figures {
  return Object.fromEntries(figureNames.map((name) => [name, row[columns[name]] ?? 0])) as Figures;
}
