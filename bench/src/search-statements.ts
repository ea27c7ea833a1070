import SQLite from 'better-sqlite3';
import { createSqliteTokenReader } from '../../apps/api/src/db/sqlite/token-index.ts';
import { createAgentSearch } from '../../apps/api/src/search/agent-search.ts';
import { toPath } from './corpus-database.ts';

/** What a search asks of SQLite: the statements about the index with what they are given, and the rows that it sends. */
export type SearchStatements = { index: [text: string, ...given: unknown[]][]; rows: number[] };

/**
 * Searches as the product does, and records the statements.
 * @param limit how many results each search wants
 */
export async function recordSearches(
  url: string,
  texts: readonly string[],
  limit: number,
): Promise<SearchStatements[]> {
  const database = new SQLite(toPath(url), { readonly: true });
  let index: SearchStatements['index'] = [];
  const prepare = (text: string) => {
    const statement = database.prepare(text);
    const record =
      (method: 'all' | 'get') =>
      (...given: unknown[]) => {
        index.push([text, ...given]);
        return statement[method](...given);
      };
    const recorded = {
      all: record('all'),
      get: record('get'),
      pluck: () => {
        statement.pluck();
        return recorded;
      },
    };
    return recorded;
  };
  // All that the reader needs of a connection.
  const search = createAgentSearch(createSqliteTokenReader({ prepare } as unknown as SQLite.Database));
  // The first search that finds few agents reads the vocabulary.
  await search({ text: 'qqqq', limit });
  const searches: SearchStatements[] = [];
  for (const text of texts) {
    index = [];
    const hits = await search({ text, limit });
    searches.push({ index, rows: hits?.seqs ?? [] });
  }
  database.close();
  return searches;
}

/** Makes the function that runs the statements of a search again and gives its rows, with each statement prepared once. */
export function createRerun(database: SQLite.Database): (search: SearchStatements) => unknown[] {
  const statements = new Map<string, SQLite.Statement>();
  const prepare = (text: string) => {
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  // In one transaction, as the search itself.
  return database.transaction(({ index, rows }: SearchStatements) => {
    for (const [text, ...given] of index) {
      const statement = prepare(text).pluck();
      statement.all(...given);
    }
    if (rows.length === 0) return [];
    return prepare(`SELECT * FROM agents WHERE seq IN (${rows.map(() => '?').join(', ')})`).all(...rows);
  });
}
