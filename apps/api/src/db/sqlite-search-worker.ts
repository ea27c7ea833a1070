// The thread in which a large SQLite file is searched.
import { workerData } from 'node:worker_threads';
import type { SearchRequest } from './engine.ts';
import { openSqliteSearch } from './sqlite-search.ts';
import { answerQuestions } from './thread.ts';

const file = openSqliteSearch(workerData as string);

answerQuestions((request: SearchRequest) => file.search(request));
