import { once } from 'node:events';
import { createServer } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { Registry } from 'prom-client';
import type { Metrics } from './metrics.ts';
import type { ResponseReport } from './on-response.ts';

/** The methods that are labels; clients can send any number of others. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']);

/** Counts and times a response by its route pattern, so that no client makes up a label. */
export function countResponse({ requests, requestDuration }: Metrics, response: ResponseReport): void {
  const { route, status, responseTime } = response;
  const method = METHODS.has(response.method) ? response.method : 'other';
  requests.inc({ method, route, status });
  requestDuration.observe({ method, route }, responseTime / 1_000);
}

/** The address at which metrics are served. */
export type MetricsAddress = { host: string; port: number | undefined; log: Pick<FastifyBaseLogger, 'info' | 'error'> };

/**
 * Serves metrics at `/metrics` of an address of their own. Returns the function that closes the server.
 * @param read reads the metrics in the Prometheus text format
 */
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
