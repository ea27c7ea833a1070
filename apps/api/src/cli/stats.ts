import { sql, type RawBuilder } from 'kysely';
import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import type { Engine } from '../db/engine.ts';
import { listMigrations } from '../db/open-database.ts';
import { createKyselyViewStore } from '../stats/kysely-view-store.ts';
import { createViewCounter } from '../stats/view-counter.ts';
import { say, sayJson, toTerminalText, withDatabase, type CommandContext } from './command.ts';

/** Prints statistics of the database, for people or as JSON. */
export async function stats(context: CommandContext, { json = false }: { json?: boolean }): Promise<void> {
  await withDatabase(context, async ({ engine }) => {
    const agents = createKyselyAgentStore(engine);
    const operator = createKyselyOperatorStore(engine);
    const viewStore = createKyselyViewStore(engine);
    const views = createViewCounter({ store: viewStore, onError: () => {} });
    const figures = {
      agents: await agents.count(),
      hidden: await operator.countUnlisted('hidden'),
      held: await operator.countUnlisted('held'),
      proposed: await operator.countProposed(),
      byCategory: await agents.countByCategory(),
      monthlyViews: await views.monthlyViews(),
      allViews: await viewStore.sum(''),
      databaseBytes: await measureDatabase(engine),
      migrations: await listMigrations(engine),
    };
    await views.close();
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

/** The size of the database in bytes. */
async function measureDatabase({ db, name }: Engine): Promise<number> {
  const size = {
    sqlite: sql`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
    postgres: sql`SELECT pg_database_size(current_database()) AS bytes`,
  }[name] as RawBuilder<{ bytes: number }>;
  const { rows } = await size.execute(db);
  return rows[0]?.bytes ?? 0;
}
