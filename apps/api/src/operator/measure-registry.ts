import { sql, type RawBuilder } from 'kysely';
import { createListCounts } from '../agents/list-counts.ts';
import { createListSelection } from '../agents/list-selection.ts';
import { createOperatorStore } from './operator-store.ts';
import type { Engine } from '../db/engine.ts';
import { listMigrations } from '../db/open-database.ts';
import { createViewStore } from '../stats/view-store.ts';
import { createViewCounter } from '../stats/view-counter.ts';

/** What a database has in it. */
export type RegistryFigures = {
  agents: number;
  hidden: number;
  held: number;
  /** Edits that wait for review. */
  proposed: number;
  byCategory: Record<string, number>;
  monthlyViews: number;
  allViews: number;
  databaseBytes: number;
  /** The names of the migrations, in their order. */
  migrations: string[];
};

/** Counts what a database has in it. */
export async function measureRegistry(engine: Engine): Promise<RegistryFigures> {
  const counts = createListCounts(engine, createListSelection(engine));
  const operator = createOperatorStore(engine);
  const viewStore = createViewStore(engine);
  const views = createViewCounter({ store: viewStore, onError: () => {} });
  const figures = {
    agents: await counts.count(),
    hidden: await operator.countUnlisted('hidden'),
    held: await operator.countUnlisted('held'),
    proposed: await operator.countProposed(),
    byCategory: await counts.countByCategory(),
    monthlyViews: await views.monthlyViews(),
    allViews: await viewStore.sum(''),
    databaseBytes: await measureDatabase(engine),
    migrations: await listMigrations(engine),
  };
  await views.close();
  return figures;
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
