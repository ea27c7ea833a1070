import { MAX_FIGURE_DAYS, readDailyFigures, type DailyFigures } from '../figures/daily-figures.ts';
import { measureRegistry } from '../stats/measure-registry.ts';
import { CommandError, say, sayJson, toTerminalText, withDatabase, type CommandContext } from './command.ts';

/** The columns of the daily figures. */
const columns: Record<keyof DailyFigures, string> = {
  day: 'Day (UTC) ',
  registrations: 'Registrations',
  edits: 'Edits',
  reports: 'Reports',
  views: 'Views',
  searchesWithoutResult: 'Searches without result',
  rateLimitedCalls: 'Rate-limited calls',
};
const columnNames = Object.keys(columns) as (keyof DailyFigures)[];

/** Prints statistics of the database and, with `--days`, of the last days, for people or as JSON. */
export async function stats(
  context: CommandContext,
  { json = false, days: daysText }: { json?: boolean; days?: string },
): Promise<void> {
  const days = daysText === undefined ? undefined : parseDays(daysText);
  await withDatabase(context, async ({ engine }) => {
    const figures = {
      ...(await measureRegistry(engine)),
      ...(days !== undefined && { daily: await readDailyFigures(engine.db, { days }) }),
    };
    if (json) return sayJson(context, figures);
    const lines: [string, string | number][] = [
      ['Agents', figures.agents],
      ...Object.entries(figures.byCategory).map(([id, count]): [string, number] => [`  ${toTerminalText(id)}`, count]),
      ['Hidden agents', figures.hidden],
      ['Held agents', figures.held],
      ['Held edits', figures.proposed],
      ['Views in 30 days', figures.monthlyViews],
      ['All views', figures.allViews],
      ['Database', `${(figures.databaseBytes / 1_000_000).toFixed(1)} MB`],
      ['Migrations', figures.migrations.join(', ')],
    ];
    for (const [label, value] of lines) say(context, `${label.padEnd(18)}${value.toLocaleString('en-US')}`);
    if (figures.daily) sayDaily(context, figures.daily);
  });
}

function sayDaily(context: CommandContext, daily: readonly DailyFigures[]): void {
  const rows = daily.map((figures) =>
    columnNames.map((name) => figures[name].toLocaleString('en-US').padStart(columns[name].length)),
  );
  for (const row of [[], Object.values(columns), ...rows]) say(context, row.join('  '));
}

/**
 * Parses a number of days.
 * @throws {CommandError} when there are no figures of so many days.
 */
function parseDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MAX_FIGURE_DAYS) return days;
  throw new CommandError(`--days must be a number from 1 to ${MAX_FIGURE_DAYS}: figures are kept so many days.`);
}
