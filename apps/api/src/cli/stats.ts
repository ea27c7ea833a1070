import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { listMigrations } from '../db/open-database.ts';
import { createKyselyViewStore } from '../stats/kysely-view-store.ts';
import { createViewCounter } from '../stats/view-counter.ts';
import { say, withDatabase } from './command.ts';

/** Prints statistics of the database, for people or as JSON. */
export async function stats({ json = false }: { json?: boolean }): Promise<void> {
  await withDatabase(async ({ engine }) => {
    const agents = createKyselyAgentStore(engine);
    const viewStore = createKyselyViewStore(engine);
    const views = createViewCounter({ store: viewStore, onError: () => {} });
    const figures = {
      agents: await agents.count(),
      hidden: await createKyselyOperatorStore(engine).countHidden(),
      byCategory: await agents.countByCategory(),
      monthlyViews: await views.monthlyViews(),
      allViews: await viewStore.sum(''),
      databaseBytes: await engine.measure(),
      migrations: await listMigrations(engine),
    };
    await views.close();
    if (json) return say(JSON.stringify(figures));
    const lines: [string, string | number][] = [
      ['Agents', figures.agents],
      ...Object.entries(figures.byCategory).map(([id, count]): [string, number] => [`  ${id}`, count]),
      ['Hidden agents', figures.hidden],
      ['Views in 30 days', figures.monthlyViews],
      ['All views', figures.allViews],
      ['Database', `${(figures.databaseBytes / 1_000_000).toFixed(1)} MB`],
      ['Migrations', figures.migrations.join(', ')],
    ];
    for (const [label, value] of lines) say(`${label.padEnd(18)}${value.toLocaleString('en-US')}`);
  });
}
