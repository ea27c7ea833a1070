import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The Prometheus metrics of a process; durations are in seconds. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of a process, with the default metrics of Node: event loop, memory, garbage collection. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Counter({
      name: 'http_requests_total',
      help: 'Requests answered, by method, route pattern and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
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
    websiteChecks: new Counter({
      name: 'website_checks_total',
      help: 'Checks whether the owner of an agent controls its website, by result.',
      labelNames: ['result'],
      registers,
    }),
    registrations: new Counter({
      name: 'agents_registered_total',
      help: 'Agents registered.',
      registers,
    }),
    registrationOpen: new Gauge({
      name: 'registration_open',
      help: '0 while REGISTRATION is closed, otherwise 1.',
      registers,
    }),
    reports: new Counter({
      name: 'agents_reported_total',
      help: 'Problems with agents reported, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    webhookDeliveries: new Counter({
      name: 'webhook_deliveries_total',
      help: 'Attempts to deliver an event to the webhook, by result: sent or failed.',
      labelNames: ['result'],
      registers,
    }),
    cacheResponses: new Counter({
      name: 'http_cache_responses_total',
      help: 'Responses of cached routes: hit, miss, or not_modified (304).',
      labelNames: ['result'],
      registers,
    }),
  };
}
