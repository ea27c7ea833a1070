import { once } from 'node:events';
import { createServer } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** A queue of the operator: its length, and the time of its oldest entry as ISO 8601; null if it is empty. */
type Queue = { length: number; oldest: string | null };

/** The methods that are labels; clients can send any number of others. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']);

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of a process, with the default metrics of Node: event loop, memory, garbage collection. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const webhookDeliveries = counter(
    'webhook_deliveries_total',
    'Attempts to deliver events to WEBHOOK_URL, by result: sent, failed, or dropped with the event at its eighth refusal.',
    'result',
  );
  // From 0 on, so that an alert sees the first one.
  webhookDeliveries.inc({ result: 'dropped' }, 0);
  return {
    registry,
    requests: counter(
      'http_requests_total',
      'Requests answered, by method, route pattern and status.',
      'method',
      'route',
      'status',
    ),
    requestDuration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the headers of a request to the end of its response.',
      labelNames: ['method', 'route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    queryDuration: new Histogram({
      name: 'database_query_duration_seconds',
      help: 'Duration of database statements.',
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
      registers,
    }),
    websiteChecks: counter(
      'website_checks_total',
      'Checks whether the owner of an agent controls its website, by result.',
      'result',
    ),
    registrations: counter('agents_registered_total', 'Agents registered.'),
    registrationOpen: new Gauge({
      name: 'registration_open',
      help: '0 while REGISTRATION is closed, otherwise 1.',
      registers,
    }),
    reports: counter('agents_reported_total', 'Problems with agents reported, by reason.', 'reason'),
    webhookDeliveries,
    cacheResponses: counter(
      'http_cache_responses_total',
      'Responses of cached routes: hit, miss, or not_modified (304).',
      'result',
    ),
  };
}

/** Logs each response, reads at level `debug`, and counts and times it by its route, so that no client makes up a label. */
export function registerOnResponse(app: FastifyInstance, metrics: Metrics | undefined): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const { statusCode: status, elapsedTime: responseTime } = reply;
    const route = routeOf(request);
    const level = method === 'GET' || method === 'HEAD' ? 'debug' : 'info';
    request.log[level]({ method, route, status, responseTime }, 'Response sent.');
    const label = METHODS.has(method) ? method : 'other';
    metrics?.requests.inc({ method: label, route, status });
    metrics?.requestDuration.observe({ method: label, route }, responseTime / 1_000);
    done();
  });
}

/** The route pattern of a request, which no client can make up; all files of the build have one. */
export function routeOf(request: FastifyRequest): string {
  const { url = 'none' } = request.routeOptions;
  return url.startsWith('/assets/') ? '/assets/*' : url;
}

type MetricsAddress = { host: string; port: number | undefined; log: Pick<FastifyBaseLogger, 'info' | 'error'> };

/** Serves metrics at `/metrics` of an address of their own. Returns the function that closes the server. */
export async function serveMetrics(
  read: () => Promise<string>,
  { host, port, log }: MetricsAddress,
): Promise<() => void> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('The metrics are at /metrics.');
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error: Error) => response.destroy(error),
    );
  });
  server.listen({ host, port });
  await once(server, 'listening');
  // Without a listener, a connection that cannot be accepted for lack of file descriptors would end the process.
  server.on('error', (error) => log.error(error));
  log.info({ address: server.address() }, 'Metrics are served.');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

/** Adds gauges of what waits for the operator, read from the database with each scrape. */
export function addModerationGauges(registry: Registry, db: Kysely<Tables>): void {
  const addGauge = (name: string, help: string, toValue: (queue: Queue) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        const queues = await readQueues(db).catch(() => ({}));
        this.reset();
        for (const [queue, state] of Object.entries(queues)) this.set({ queue }, toValue(state));
      },
    });
  addGauge('moderation_queue_length', 'What waits for the operator, by queue.', ({ length }) => length);
  addGauge(
    'moderation_queue_oldest_seconds',
    'Age of the oldest that waits, by queue; 0 if nothing waits.',
    ({ oldest }) => (oldest === null ? 0 : Math.max(0, (Date.now() - Date.parse(oldest)) / 1_000)),
  );
}

async function readQueues(db: Kysely<Tables>): Promise<Record<'held' | 'reports' | 'events', Queue>> {
  const [held, proposed, reports, events] = await Promise.all([
    db
      .selectFrom('unlisted_agents')
      .select((select) => [select.fn.countAll<number>().as('length'), select.fn.min('since').as('oldest')])
      .where('state', '=', 'held')
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('proposed_versions')
      .innerJoin('agents', 'agents.id', 'agent_id')
      .select((select) => [select.fn.countAll<number>().as('length'), select.fn.min('since').as('oldest')])
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('reports')
      .innerJoin('agents', 'agents.id', 'reports.agent_id')
      .select((select) => [select.fn.countAll<number>().as('length'), select.fn.min('reports.created_at').as('oldest')])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('operator_events')
      .select((select) => [select.fn.countAll<number>().as('length'), select.fn.min('at').as('oldest')])
      .where('number', '>', db.selectFrom('webhook').select('cursor'))
      .executeTakeFirstOrThrow(),
  ]);
  return { held: join(held, proposed), reports, events };
}

function join(...queues: readonly Queue[]): Queue {
  const [oldest = null] = queues.flatMap((queue) => queue.oldest ?? []).toSorted();
  return { length: queues.reduce((sum, { length }) => sum + length, 0), oldest };
}
