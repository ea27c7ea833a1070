import { sql, type RawBuilder } from 'kysely';
import { countAgents, countByCategory } from '../agents/list-counts.ts';
import { createOperatorStore } from './operator-store.ts';
import type { Engine } from '../db/engine.ts';
import { listMigrations } from '../db/open-database.ts';
import { createViewStore, toFirstDay } from '../stats/view-store.ts';

/** Counts what a database has in it. */
export async function measureRegistry(engine: Engine) {
  const operator = createOperatorStore(engine);
  const views = createViewStore(engine);
  return {
    agents: await countAgents(engine),
    hidden: await operator.countUnlisted('hidden'),
    held: await operator.countUnlisted('held'),
    /** Edits that wait for review. */
    proposed: await operator.countProposed(),
    byCategory: await countByCategory(engine),
    monthlyViews: await views.sum(toFirstDay(Date.now())),
    allViews: await views.sum(''),
    databaseBytes: await measureDatabase(engine),
    migrations: await listMigrations(engine.db),
  };
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
