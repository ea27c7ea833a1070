import type SQLite from 'better-sqlite3';
import {
  CompiledQuery,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { openSqliteReader } from './connection.ts';
import { toOutage } from './errors.ts';
import { prepareStatements, type RunStatement, type StatementResult } from './statements.ts';
import type { WriteRequest } from './write-worker.ts';
import { createWorkerRpc, type Thread } from './worker-rpc.ts';

/**
 * Tells Kysely how to use a SQLite file. What is selected is read here and at once; everything else runs in a thread of its
 * own, since a commit waits for the disk, and for other processes that write, and would hold up everybody. One writes at a
 * time: a transaction, or a statement by itself.
 * @param reader a connection to the file, which is closed with the driver
 * @param select runs statements on it
 */
export function createThreadedSqliteDialect(reader: SQLite.Database, select: RunStatement, path: string): Dialect {
  return {
    createDriver: () => new ThreadedDriver(reader, select, path),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ThreadedAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class ThreadedAdapter extends SqliteAdapter {
  // Who reads need not wait for who writes.
  override get supportsMultipleConnections() {
    return true;
  }

  // SQLite can undo changes of tables, so a migration that fails leaves nothing behind.
  override get supportsTransactionalDdl() {
    return true;
  }
}

type Run = (text: string, parameters: readonly unknown[]) => StatementResult | Promise<StatementResult>;

/** Where the statements of a transaction run, and what is to be done at its end. */
type Transaction = { run: Run; end: () => void };

class ThreadedDriver implements Driver {
  readonly #reader: SQLite.Database;
  readonly #path: string;
  readonly #select: RunStatement;
  readonly #thread: Thread<WriteRequest, StatementResult>;
  readonly #idle: ThreadedConnection[] = [];
  /** Resolves when all who wanted to write so far have done so. */
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(reader: SQLite.Database, select: RunStatement, path: string) {
    this.#reader = reader;
    this.#path = path;
    this.#select = select;
    this.#thread = createWorkerRpc('write-worker', path, (post) => process.nextTick(post));
  }

  async init() {}

  async acquireConnection(): Promise<ThreadedConnection> {
    return (
      this.#idle.pop() ?? new ThreadedConnection(this.#select, (text, parameters) => this.#write(text, parameters))
    );
  }

  async releaseConnection(connection: ThreadedConnection) {
    this.#idle.push(connection);
  }

  async beginTransaction(connection: ThreadedConnection, { accessMode }: TransactionSettings) {
    connection.transaction = accessMode === 'read only' ? this.#beginReading() : await this.#beginWriting();
  }

  async commitTransaction(connection: ThreadedConnection) {
    await connection.executeQuery(CompiledQuery.raw('COMMIT'));
    connection.endTransaction();
  }

  async rollbackTransaction(connection: ThreadedConnection) {
    try {
      await connection.executeQuery(CompiledQuery.raw('ROLLBACK'));
    } finally {
      connection.endTransaction();
    }
  }

  async destroy() {
    await this.#lastTurn;
    await this.#thread.close();
    this.#reader.close();
  }

  /** A transaction over a connection of its own: it sees one state, and others see what is written meanwhile. */
  #beginReading(): Transaction {
    const reader = openSqliteReader(this.#path);
    reader.exec('BEGIN');
    return { run: prepareStatements(reader), end: () => reader.close() };
  }

  async #beginWriting(): Promise<Transaction> {
    const end = await this.#takeTurn();
    // One that only finds out at its first write that another process was faster fails at once; one that asks for the
    // right to write when it begins waits for its turn. Nobody waits here for the answer: what is asked next goes along.
    const begun = this.#thread.ask({ text: 'BEGIN IMMEDIATE', parameters: [], isInTransaction: false });
    begun.catch(() => {});
    const run: Run = async (text, parameters) => {
      const [result] = await Promise.all([this.#thread.ask({ text, parameters, isInTransaction: true }), begun]);
      return result;
    };
    return { run, end };
  }

  async #write(text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    const end = await this.#takeTurn();
    try {
      return await this.#thread.ask({ text, parameters, isInTransaction: false });
    } finally {
      end();
    }
  }

  /** Waits until nobody else writes; gives the function that ends the turn. */
  async #takeTurn(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#lastTurn;
    this.#lastTurn = before.then(() => promise);
    await before;
    return resolve;
  }
}

class ThreadedConnection implements DatabaseConnection {
  transaction: Transaction | undefined;
  readonly #select: RunStatement;
  readonly #write: Run;

  constructor(select: RunStatement, write: Run) {
    this.#select = select;
    this.#write = write;
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    const run = this.transaction?.run ?? (SelectQueryNode.is(query) ? this.#select : this.#write);
    try {
      const { rows, changes } = await run(sql, parameters);
      return { rows: rows as Row[], ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }) };
    } catch (error) {
      throw toOutage(error);
    }
  }

  streamQuery(): never {
    throw new Error('Rows of SQLite are not streamed; read them by pages.');
  }

  endTransaction(): void {
    this.transaction?.end();
    this.transaction = undefined;
  }
}
