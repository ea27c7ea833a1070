import SQLite from 'better-sqlite3';
import type { CompiledQuery, KyselyPlugin } from 'kysely';
import { databasePath } from '../db/open-database.ts';
import type { Engine } from '../db/engine.ts';
import { createPostgresTokenReader } from '../db/postgres/token-index.ts';
import { createSqliteTokenReader } from '../db/sqlite/token-index.ts';
import { createAgentSearch } from '../search/search.ts';
import type { TestDatabase } from './engines.ts';

/** An engine over a test database whose queries are noted. */
export type QueryLog = {
  engine: Engine;
  /** The queries since the last call, formatted by lines, each once. */
  take(): string[];
  /** Closes the connections of its own. */
  close(): void;
};

/** Notes the queries of an engine, with their parameters: those of Kysely, and those of the search. */
export function logQueries({ engine, url }: TestDatabase): QueryLog {
  const queries = new Set<string>();
  const db = engine.db.withPlugin(createQueryLogger(engine, (query) => queries.add(describeQuery(query))));
  const path = databasePath(url);
  const connection =
    path === undefined
      ? undefined
      : new SQLite(path, { readonly: true, verbose: (query) => queries.add(formatSql(String(query))) });
  return {
    engine: {
      ...engine,
      db,
      search: createAgentSearch(connection ? createSqliteTokenReader(connection) : createPostgresTokenReader(db)),
    },
    take() {
      const taken = [...queries];
      queries.clear();
      return taken;
    },
    close: () => void connection?.close(),
  };
}

/** A plugin that compiles each query as the engine does. */
function createQueryLogger({ db }: Engine, onQuery: (query: CompiledQuery) => void): KyselyPlugin {
  return {
    transformQuery({ node, queryId }) {
      onQuery(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

function describeQuery({ sql, parameters }: CompiledQuery): string {
  const shown = parameters.map((parameter) => JSON.stringify(parameter)).join(', ');
  return formatSql(sql) + (shown === '' ? '' : `\n-- ${shown}`);
}

/** A statement with a line for each clause, but for those in brackets. */
function formatSql(sql: string): string {
  let depth = 0;
  const words = sql
    .trim()
    .split(/\s+/)
    .map((word) => {
      const isClause = depth === 0 && /^(select|from|where|group|having|order|limit)$/i.test(word);
      depth += (word.match(/\(/g)?.length ?? 0) - (word.match(/\)/g)?.length ?? 0);
      return isClause ? `\n${word}` : word;
    });
  return words.join(' ').replaceAll(' \n', '\n').trim();
}
