// The least that answers over HTTP take: Fastify routes that send bytes from memory, or rows as SQLite gives them.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import SQLite from 'better-sqlite3';
import Fastify from 'fastify';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { defaultConfig } from '../../apps/api/src/config.ts';
import { toPath } from './corpus-database.ts';
import type { Query } from './queries.ts';
import { openRawSearch } from './raw-search.ts';
import { createRerun, type SearchStatements } from './search-statements.ts';

/** Headers that Node and Fastify write by themselves. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

const bytes = Buffer.alloc(1_000_000, 'x');
// As long as the registry keeps a connection, so that the header which tells it is the same.
const app = Fastify({ keepAliveTimeout: defaultConfig.KEEP_ALIVE_TIMEOUT });
app.get<{ Params: { length: string } }>('/bytes/:length', (request, reply) =>
  reply.type('application/json').send(bytes.subarray(0, Number(request.params.length))),
);

let answer: { status: number; headers: IncomingHttpHeaders; body?: Buffer } = { status: 404, headers: {} };
app.get('/answer', (_request, reply) => reply.code(answer.status).headers(answer.headers).send(answer.body));
// Takes over the answer of another server, to be sent from memory.
app.put<{ Body: { url: string; headers: Record<string, string> } }>('/answer', async ({ body: { url, headers } }) => {
  const [incoming] = (await once(request(url, { headers, agent: false }).end(), 'response')) as [IncomingMessage];
  const kept = Object.entries(incoming.headers).filter(([name]) => !OWN_HEADERS.has(name));
  const body = await buffer(incoming);
  answer = {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(kept),
    ...(body.length > 0 ? { body } : {}),
  };
  return { status: answer.status, headers: answer.headers };
});

const { DATABASE_URL: url, AGENTS } = process.env;
if (url) {
  const database = new SQLite(toPath(url), { readonly: true });
  const findAgent = database.prepare('SELECT * FROM agents WHERE id = ?');
  app.get<{ Params: { id: string } }>('/agents/:id', (request, reply) => reply.send(findAgent.get(request.params.id)));
  const raw = await openRawSearch({ engine: 'sqlite', url, agents: [...makeCorpus(Number(AGENTS))] });
  type Search = { Querystring: { raw: string } };
  const toQuery = (text: string): Query => ({ text, raw: JSON.parse(text) as Query['raw'] });
  app.get<Search>('/ranked', (request) => raw.ranked(toQuery(request.query.raw)));
  app.get<Search>('/latest', (request) => raw.latest(toQuery(request.query.raw)));
  const rerun = createRerun(database);
  let searches: SearchStatements[] = [];
  // Takes over searches that were recorded, to be run again by their places.
  app.put<{ Body: { file: string } }>('/searches', (request, reply) => {
    searches = JSON.parse(readFileSync(request.body.file, 'utf8')) as SearchStatements[];
    return reply.send({});
  });
  app.get<{ Params: { place: string } }>('/searches/:place', (request, reply) =>
    reply.send(rerun(searches[Number(request.params.place)] ?? { index: [], rows: [] })),
  );
}

console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
process.once('SIGTERM', () => void app.close());
