import { lookup } from 'node:dns/promises';
import { createKyselyAgentStore } from './agents/kysely-agent-store.ts';
import { loadSampleAgents } from './agents/load-sample-agents.ts';
import { buildApp } from './app.ts';
import { createKyselyRateLimitStore } from './rate-limit/kysely-rate-limit-store.ts';
import { ConfigError, loadConfig, MEBIBYTE, toPostgresSettings, toTimeouts, type Config } from './config.ts';
import { DatabaseError } from './db/engine.ts';
import { isFileUrl, openDatabase } from './db/open-database.ts';
import { logOptions } from './observability/logger.ts';
import { serveMetrics } from './observability/serve-metrics.ts';
import { createShutdown } from './graceful-shutdown.ts';
import { listen } from './listen.ts';
import { createMetrics } from './observability/metrics.ts';
import { createKyselyViewStore } from './stats/kysely-view-store.ts';
import { createViewCounter } from './stats/view-counter.ts';

try {
  await start(loadConfig());
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DatabaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** Starts a process that answers: database, application, ports; a signal ends it in the opposite order. */
async function start(config: Config): Promise<void> {
  const metrics = config.METRICS_PORT === undefined ? undefined : createMetrics();
  const { engine, isNew } = await openDatabase(config.DATABASE_URL, {
    postgres: toPostgresSettings(config),
    onQuery: metrics && ((duration) => metrics.queryDuration.observe(duration / 1_000)),
  });
  const agents = createKyselyAgentStore(engine, { onRegistered: metrics && (() => metrics.registrations.inc()) });
  const sampleData = config.SAMPLE_DATA ?? (isFileUrl(config.DATABASE_URL) ? 'on' : 'off');
  if (isNew && sampleData === 'on') await loadSampleAgents(agents);

  const views = createViewCounter({ store: createKyselyViewStore(engine), onError: (error) => app.log.error(error) });
  const shuttingDown = new AbortController();
  const app = await buildApp({
    agents,
    views,
    rateLimitStore: createKyselyRateLimitStore(engine),
    limits: { register: config.REGISTER_LIMIT, registerGlobal: config.REGISTER_LIMIT_GLOBAL, read: config.READ_LIMIT },
    isRegistrationClosed: config.REGISTRATION === 'closed',
    trustProxy: config.TRUST_PROXY,
    corsOrigins: config.CORS_ORIGINS,
    publicUrl: config.PUBLIC_URL,
    webDir: config.WEB_DIR,
    shuttingDown: shuttingDown.signal,
    timeouts: toTimeouts(config),
    metrics,
    cacheSize: config.CACHE_SIZE * MEBIBYTE,
    maxEventLoopDelay: config.MAX_EVENT_LOOP_DELAY,
    logger: logOptions(config.LOG_LEVEL),
  });
  app.addHook('onClose', async () => {
    try {
      await views.close();
    } finally {
      await engine.close();
    }
  });

  const leave = createShutdown(app, shuttingDown.signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal ends the process at once.
      if (shuttingDown.signal.aborted) process.exit(1);
      shuttingDown.abort();
      app.log.info(`Leaving at ${signal}.`);
      leave({ delay: config.SHUTDOWN_DELAY, timeout: config.SHUTDOWN_TIMEOUT }).catch((error: unknown) => {
        app.log.error(error, 'Graceful shutdown failed.');
        process.exitCode = 1;
      });
    });
  }

  try {
    if (metrics) {
      const { METRICS_HOST: host, METRICS_PORT: port } = config;
      const serving = serveMetrics(() => metrics.registry.metrics(), { host, port, log: app.log });
      const closeMetrics = await listen('METRICS_HOST and METRICS_PORT', serving);
      app.addHook('onClose', async () => closeMetrics());
    }
    // At one address: for a name of several Fastify would open servers that nothing else here knows of.
    const listening = lookup(config.HOST).then(({ address: host }) => app.listen({ host, port: config.PORT }));
    await listen('HOST and PORT', listening);
  } catch (error) {
    await app.close();
    throw error;
  }
}
