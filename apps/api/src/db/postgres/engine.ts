import { Kysely, PostgresDialect, sql } from 'kysely';
import { createAgentSearch } from '../../search/search.ts';
import { kyselyOptions, type Engine, type QueryListener } from '../engine.ts';
import { coalesce } from './coalesce.ts';
import { openPool, type PostgresSettings } from './pool.ts';
import { createPostgresTokenReader, matchInPostgres, postgresTokenWriter } from './token-index.ts';
import { READ_VERSION } from '../registry-version.ts';
import type { Tables } from '../tables.ts';

/** Opens a PostgreSQL database; it connects with the first statement, and anew after an outage. */
export function openPostgres(url: string, settings: PostgresSettings, onQuery?: QueryListener): Engine {
  const dialect = new PostgresDialect({ pool: openPool(url, settings) });
  const db = new Kysely<Tables>({ dialect, ...kyselyOptions(onQuery) });
  return {
    name: 'postgres',
    db,
    tokens: postgresTokenWriter,
    search: createAgentSearch(createPostgresTokenReader(db)),
    matching: matchInPostgres,
    readMuch: async (query) => (await db.executeQuery(query)).rows,
    version: coalesce(async () => {
      const { rows } = await sql<{ version: string | null }>`${sql.raw(READ_VERSION)}`.execute(db);
      return rows[0]?.version ?? '';
    }),
    // Tables in the order in which a registration writes them, so that the two never wait for each other.
    async lockWrites(transaction) {
      await sql`LOCK TABLE registration_keys, agents IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
    },
    close: () => db.destroy(),
  };
}
