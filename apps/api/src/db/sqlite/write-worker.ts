// The worker thread that writes a SQLite file.
import { workerData } from 'node:worker_threads';
import { openSqliteFile, prepareStatements, type StatementResult } from './connection.ts';
import { serveRpc } from './worker-rpc.ts';

export type WriteRequest = {
  text: string;
  parameters: readonly unknown[];
  /** How long to wait for writes of other processes, in milliseconds; missing within a transaction, which has the lock. */
  lockTimeout?: number;
};

const connection = openSqliteFile(workerData as string);
const run = prepareStatements(connection);

serveRpc(({ text, parameters, lockTimeout }: WriteRequest): StatementResult => {
  if (lockTimeout !== undefined) {
    connection.pragma(`busy_timeout = ${lockTimeout}`);
  } else if (!connection.inTransaction) {
    // SQLite rolls back by itself after some errors, such as a full disk.
    if (text === 'ROLLBACK') return { rows: [] };
    throw new Error('The transaction has ended.');
  }
  return run(text, parameters);
});
