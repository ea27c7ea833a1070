// The worker thread that searches large SQLite files.
import { workerData } from 'node:worker_threads';
import type { SearchRequest } from '../../search/agent-search.ts';
import { openSqliteSearch } from './search.ts';
import { serveRpc } from './worker-rpc.ts';

const file = openSqliteSearch(workerData as string);

serveRpc((request: SearchRequest) => file.search(request));
