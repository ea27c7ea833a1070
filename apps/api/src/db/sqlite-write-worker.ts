// The thread in which a SQLite file is written.
import { workerData } from 'node:worker_threads';
import { openSqliteFile } from './sqlite-file.ts';
import { prepareStatements, type StatementResult } from './sqlite-statements.ts';
import { answerQuestions } from './thread.ts';

/** What the thread is asked: a statement with its parameters, by itself or as part of the transaction that was begun. */
export type WriteRequest = { text: string; parameters: readonly unknown[]; isInTransaction: boolean };

const connection = openSqliteFile(workerData as string);
const run = prepareStatements(connection);

answerQuestions(({ text, parameters, isInTransaction }: WriteRequest): StatementResult => {
  if (isInTransaction && !connection.inTransaction) {
    // Where it cannot write, SQLite ends the transaction by itself, and said why when it did.
    if (text === 'ROLLBACK') return { rows: [] };
    throw new Error('The transaction has ended.');
  }
  return run(text, parameters);
});
