// The thread in which a SQLite file is written.
import { workerData } from 'node:worker_threads';
import { openSqliteFile } from './connection.ts';
import { prepareStatements, type StatementResult } from './statements.ts';
import { serveRpc } from './worker-rpc.ts';

/**
 * How much the log of what was written may hold that is not in the file, in pages, before it is brought there: after a
 * commit was answered; and within one, where there is no time between them.
 */
const MAX_LOG = { between: 1_000, within: 4_000 };

/** What the thread is asked: a statement with its parameters, by itself or as part of the transaction that was begun. */
export type WriteRequest = { text: string; parameters: readonly unknown[]; isInTransaction: boolean };

const connection = openSqliteFile(workerData as string);
const run = prepareStatements(connection);

// Within a commit whoever registers waits for it.
connection.pragma(`wal_autocheckpoint = ${MAX_LOG.within}`);
const measureLog = connection.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
const emptyLog = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)');

serveRpc(({ text, parameters, isInTransaction }: WriteRequest): StatementResult => {
  if (isInTransaction && !connection.inTransaction) {
    // Where it cannot write, SQLite ends the transaction by itself, and said why when it did.
    if (text === 'ROLLBACK') return { rows: [] };
    throw new Error('The transaction has ended.');
  }
  const result = run(text, parameters);
  // When the answer is on its way.
  if (!connection.inTransaction) setImmediate(keepLogShort);
  return result;
});

function keepLogShort(): void {
  if (connection.inTransaction) return;
  try {
    const { log = 0, checkpointed = 0 } = measureLog.get() ?? {};
    if (log - checkpointed >= MAX_LOG.between) emptyLog.all();
  } catch {
    // What is committed is safe in the log; the next commit tries again.
  }
}
