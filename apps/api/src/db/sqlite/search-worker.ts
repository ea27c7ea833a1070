// The worker thread that searches large SQLite files.
import { workerData } from 'node:worker_threads';
import { openSqliteSearch, type ReadRequest } from './search.ts';
import { serveRpc } from './worker-rpc.ts';

const file = openSqliteSearch(workerData as string);

serveRpc((request: ReadRequest) => file.read(request));
