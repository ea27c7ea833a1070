import { measureRegistry } from '../stats/measure-registry.ts';
import { say, sayJson, toTerminalText, withDatabase, type CommandContext } from './command.ts';

/** Prints statistics of the database, for people or as JSON. */
export async function stats(context: CommandContext, { json = false }: { json?: boolean }): Promise<void> {
  await withDatabase(context, async ({ engine }) => {
    const figures = await measureRegistry(engine);
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
  });
}
