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
import { DatabaseUnavailableError } from '../../database-error.ts';
import {
  BUSY_TIMEOUT,
  openSqliteReader,
  prepareStatements,
  type RunStatement,
  type StatementResult,
  type FileCheck,
} from './connection.ts';
import { createWorkerRpc, type WorkerRpc } from './worker-rpc.ts';
import type { WriteRequest } from './write-worker.ts';

type SqliteDialectOptions = {
  path: string;
  /** A connection for reading; the dialect closes it. */
  reader: SQLite.Database;
  fileCheck: FileCheck;
};

/**
 * The Kysely dialect of a SQLite file. Selects run synchronously in this thread. Writes run in a worker thread, since they
 * wait for the disk and for other processes; one transaction or single statement at a time.
 */
export function createSqliteDialect(options: SqliteDialectOptions): Dialect {
  return {
    createDriver: () => new SqliteDriver(options),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteFileAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class SqliteFileAdapter extends SqliteAdapter {
  // Selects go on during a transaction.
  override get supportsMultipleConnections() {
    return true;
  }

  // A failed migration leaves nothing behind.
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** Runs the statements of a transaction; `end` is called after COMMIT or ROLLBACK. */
type Transaction = {
  run: (...statement: Parameters<RunStatement>) => StatementResult | Promise<StatementResult>;
  end: () => void;
};

class SqliteDriver implements Driver {
  readonly #options: SqliteDialectOptions;
  readonly #read: RunStatement;
  readonly #writer: WorkerRpc<WriteRequest, StatementResult>;
  /** Resolves after the last write in the queue. */
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(options: SqliteDialectOptions) {
    this.#options = options;
    this.#read = prepareStatements(options.reader);
    this.#writer = createWorkerRpc('write-worker', options.path);
  }

  async init() {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection((query, transaction) => this.#execute(query, transaction));
  }

  async releaseConnection() {}

  async beginTransaction(connection: SqliteConnection, { accessMode }: TransactionSettings) {
    connection.transaction = accessMode === 'read only' ? this.#beginReading() : await this.#beginWriting();
  }

  async commitTransaction(connection: SqliteConnection) {
    this.#options.fileCheck.check();
    await connection.executeQuery(CompiledQuery.raw('COMMIT'));
    // A commit to a file that was moved meanwhile must not be acknowledged.
    this.#options.fileCheck.check();
    connection.endTransaction();
  }

  async rollbackTransaction(connection: SqliteConnection) {
    try {
      await connection.executeQuery(CompiledQuery.raw('ROLLBACK'));
    } finally {
      connection.endTransaction();
    }
  }

  async destroy() {
    await this.#lastWrite;
    await this.#writer.close();
    this.#options.reader.close();
  }

  async #execute({ sql, parameters, query }: CompiledQuery, transaction: Transaction | undefined) {
    try {
      if (transaction) return await transaction.run(sql, parameters);
      return SelectQueryNode.is(query) ? this.#read(sql, parameters) : await this.#write(sql, parameters);
    } catch (error) {
      throw this.#options.fileCheck.toOutage(error);
    }
  }

  /** Begins a read transaction on a connection of its own: a snapshot, during which other transactions can write. */
  #beginReading(): Transaction {
    const { path, fileCheck } = this.#options;
    fileCheck.check();
    const reader = openSqliteReader(path);
    reader.exec('BEGIN');
    return { run: prepareStatements(reader), end: () => reader.close() };
  }

  async #beginWriting(): Promise<Transaction> {
    // IMMEDIATE waits for writes of other processes. A deferred transaction would fail at its first write instead.
    const { end } = await this.#startWrite('BEGIN IMMEDIATE', []);
    return { run: (text, parameters) => this.#writer.call({ text, parameters }), end };
  }

  async #write(text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    const { result, end } = await this.#startWrite(text, parameters);
    end();
    this.#options.fileCheck.check();
    return result;
  }

  /**
   * Waits for earlier writes and runs a statement. `end` lets the next write start. Writes that wait longer than the busy
   * timeout altogether are refused, so that no caller waits longer and nothing is stored after its caller gave up.
   */
  async #startWrite(
    text: string,
    parameters: readonly unknown[],
  ): Promise<{ result: StatementResult; end: () => void }> {
    const deadline = performance.now() + BUSY_TIMEOUT;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const previous = this.#lastWrite;
    this.#lastWrite = previous.then(() => promise);
    await previous;
    try {
      const lockTimeout = Math.ceil(deadline - performance.now());
      if (lockTimeout <= 0) throw new DatabaseUnavailableError('Earlier writes took too long.');
      this.#options.fileCheck.check();
      return { result: await this.#writer.call({ text, parameters, lockTimeout }), end };
    } catch (error) {
      end();
      throw this.#options.fileCheck.toOutage(error);
    }
  }
}

class SqliteConnection implements DatabaseConnection {
  transaction: Transaction | undefined;
  readonly #execute: (query: CompiledQuery, transaction: Transaction | undefined) => Promise<StatementResult>;

  constructor(execute: (query: CompiledQuery, transaction: Transaction | undefined) => Promise<StatementResult>) {
    this.#execute = execute;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = await this.#execute(query, this.transaction);
    return { rows: rows as Row[], ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }) };
  }

  streamQuery(): never {
    throw new Error('SQLite queries cannot be streamed; read pages instead.');
  }

  endTransaction(): void {
    this.transaction?.end();
    this.transaction = undefined;
  }
}
