import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import type { FastifyInstance } from 'fastify';
import { createAgentStore } from './stores.ts';
import { createChangeStore } from './changes/change-log.ts';
import { loadSampleAgents } from './agents/load-sample-agents.ts';
import { buildApp } from './app.ts';
import { createRateLimitStore } from './rate-limit/rate-limit-store.ts';
import { ConfigError, loadConfig, readEnvFile, type Config } from './config.ts';
import { DatabaseError, DatabaseUnavailableError } from './database-error.ts';
import { isFileUrl, openDatabase, toDatabaseError } from './db/open-database.ts';
import { openConnectionChecks } from './connection-checks/connection-checks.ts';
import { logOptions } from './observability/logger.ts';
import { addModerationGauges, serveMetrics, createMetrics } from './observability/metrics.ts';
import { createShutdown, type ShutdownOptions } from './graceful-shutdown.ts';
import { defaultServerOptions, type ServerOptions } from './server-options.ts';
import { toRegistry } from './operator/listeners.ts';
import { createPublicationStore } from './publisher/publication-store.ts';
import { createServerStore } from './servers/server-store.ts';
import { toNamespace } from './servers/server-names.ts';
import { readSiteConfig } from './site-config.ts';
import { startJobs } from './start-jobs.ts';
import { describeStart, describeStranded, describeUnknownSettings, findFreePort } from './start-messages.ts';
import { createViewStore, createViewCounter } from './stats/view-store.ts';
import { createSourceStore } from './sync/source-store.ts';
import { openWebsiteChecks } from './website-check/check-website.ts';
import { createRepositoryLooks } from './website-check/website-claims.ts';
import { createFileReader } from './website-files/read-file.ts';

/** Starts the server; returns in one sentence why it cannot, undefined once it listens. */
export async function start(options?: Partial<ServerOptions>): Promise<string | undefined> {
  try {
    await startWith(loadConfig(), { ...defaultServerOptions, ...options });
    return undefined;
  } catch (error) {
    const reason = toDatabaseError(error);
    const kinds = [ConfigError, DatabaseError, DatabaseUnavailableError];
    if (!(reason instanceof Error && kinds.some((kind) => reason instanceof kind))) throw error;
    return reason.message;
  }
}

/** Begins a graceful shutdown at the first signal that asks for the end, and ends at once at the second. */
function shutDownOnSignals(
  app: FastifyInstance,
  shuttingDown: AbortController,
  times: Pick<ShutdownOptions, 'delay' | 'timeout'>,
): void {
  const shutDown = createShutdown(app, { shuttingDown: shuttingDown.signal, ...times });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (shuttingDown.signal.aborted) process.exit(1);
      app.log.info(`Graceful shutdown at ${signal}.`);
      shuttingDown.abort();
      shutDown().catch((error: unknown) => {
        app.log.error(error, 'Graceful shutdown failed.');
        process.exitCode = 1;
      });
    });
  }
}

async function startWith(config: Config, options: ServerOptions): Promise<void> {
  const { config: siteConfig, logo } = readSiteConfig(config.SITE_CONFIG);
  const metrics = config.METRICS_PORT === undefined ? undefined : createMetrics();
  const onError = (error: unknown) => app.log.error(error);
  const { engine, isNew } = await openDatabase(config.DATABASE_URL, {
    categories: siteConfig.categories,
    serverNamespace: toNamespace(config.PUBLIC_URL),
    postgres: { ...config, ...options },
    onError,
    onQuery: metrics && ((duration) => metrics.queryDuration.observe(duration / 1_000)),
  });
  if (metrics) addModerationGauges(metrics.registry, engine.db);
  const agents = createAgentStore(engine, {
    publicContact: config.PUBLIC_CONTACT,
    onRegistered: metrics && (() => metrics.registrations.inc()),
    onReported: metrics && ((reason) => metrics.reports.inc({ reason })),
  });
  const hasSampleData = isNew && (config.SAMPLE_DATA ?? (isFileUrl(config.DATABASE_URL) ? 'on' : 'off')) === 'on';
  if (hasSampleData) await loadSampleAgents(agents, siteConfig.categories);

  const views = createViewCounter({ store: createViewStore(engine), onError });
  const rateLimitStore = createRateLimitStore(engine);
  const readFile = createFileReader();
  const connections = openConnectionChecks(config, toRegistry(engine), { rateLimitStore, readFile });
  const websites =
    config.WEBSITE_CHECKS === 'on'
      ? await openWebsiteChecks(engine, { readFile, sharedHosts: siteConfig.sharedHosts })
      : undefined;
  const looks =
    websites && createRepositoryLooks({ ...websites, engine, agents, rateLimitStore, origin: config.PUBLIC_URL ?? '' });
  const shuttingDown = new AbortController();
  const app = await buildApp({
    ...config,
    ...options,
    logger: logOptions(config.LOG_LEVEL, process.stdout.isTTY),
    stores: {
      agents,
      changes: createChangeStore(engine.db),
      sources: createSourceStore(engine),
      servers: createServerStore(engine),
      publications: createPublicationStore(engine, metrics && (() => metrics.registrations.inc())),
      views,
    },
    rateLimitStore,
    connectionChecks: connections,
    websites,
    siteConfig,
    logo,
    shuttingDown: shuttingDown.signal,
    metrics,
  });
  const stopJobs = await startJobs(config, engine, { connections, looks, metrics, onError });
  app.addHook('onClose', async () => {
    try {
      await stopJobs();
      await views.close();
    } finally {
      await engine.close();
    }
  });

  shutDownOnSignals(app, shuttingDown, { delay: config.SHUTDOWN_DELAY, timeout: options.shutdownTimeout });

  try {
    if (metrics && config.METRICS_PORT) {
      const serving = serveMetrics(() => metrics.registry.metrics(), { ...config.METRICS_PORT, log: app.log });
      const closeMetrics = await listening('METRICS_PORT', serving);
      app.addHook('onClose', async () => closeMetrics());
    }
    // Before the server listens, since a signal may close the database from then on.
    const stranded = describeStranded(await agents.countByCategory(), siteConfig.categories);
    if (stranded !== undefined) app.log.warn(stranded);
    for (const sentence of describeUnknownSettings(readEnvFile(), process.env)) app.log.warn(sentence);
    // For a name with several addresses Fastify would open servers that graceful shutdown does not see.
    const serving = lookup(config.HOST).then(({ address: host }) => app.listen({ host, port: config.PORT }));
    const url = await listening('HOST and PORT', serving);
    // No agent has this word, so the search starts to read the vocabulary in the background.
    engine.search({ text: randomUUID(), limit: 1 }).catch(() => {});
    if (process.stdout.isTTY) console.log(describeStart({ url, databaseUrl: config.DATABASE_URL, hasSampleData }));
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Waits for a server that starts to listen. Throws a `ConfigError` that names the settings of its address. */
async function listening<Result>(names: 'HOST and PORT' | 'METRICS_PORT', serving: Promise<Result>): Promise<Result> {
  try {
    return await serving;
  } catch (cause) {
    const { code, port = 0, message } = cause as NodeJS.ErrnoException & { port?: number };
    if (code === 'EADDRINUSE') {
      const free = `${names.replace('HOST and ', '')}=${await findFreePort(port + 1)}`;
      throw new ConfigError(`Another program uses port ${port}; ${free} is free.`, { cause });
    }
    const verb = names === 'METRICS_PORT' ? 'does' : 'do';
    throw new ConfigError(`${names} ${verb} not name an address to listen on: ${message}.`, { cause });
  }
}
