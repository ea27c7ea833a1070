import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { createKyselyAgentStore } from './agents/kysely-agent-store.ts';
import { loadSampleAgents } from './agents/load-sample-agents.ts';
import { buildApp } from './app.ts';
import { createKyselyBudgetStore } from './budgets/kysely-budget-store.ts';
import { ConfigError, readConfig } from './config.ts';
import { DatabaseError } from './db/engine.ts';
import { isFileUrl, openDatabase } from './db/open-database.ts';
import { createKyselyViewStore } from './stats/kysely-view-store.ts';
import { createViewCounter } from './stats/view-counter.ts';

try {
  await start();
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DatabaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** Starts the process: settings, database, application, port; a signal ends it in the opposite order. */
async function start(): Promise<void> {
  if (existsSync('.env')) loadEnvFile('.env');
  const config = readConfig(process.env);
  const { engine, isNew } = await openDatabase(config.DATABASE_URL, {
    poolSize: config.DATABASE_POOL_SIZE,
    statementTimeout: config.DATABASE_STATEMENT_TIMEOUT,
    connectTimeout: config.DATABASE_CONNECT_TIMEOUT,
  });
  const agents = createKyselyAgentStore(engine);
  const sampleData = config.SAMPLE_DATA ?? (isFileUrl(config.DATABASE_URL) ? 'on' : 'off');
  if (isNew && sampleData === 'on') await loadSampleAgents(agents);

  const views = createViewCounter({ store: createKyselyViewStore(engine), onError: (error) => app.log.error(error) });
  const app = await buildApp({
    agents,
    views,
    budgets: createKyselyBudgetStore(engine),
    limits: { register: config.REGISTER_LIMIT, registerGlobal: config.REGISTER_LIMIT_GLOBAL, read: config.READ_LIMIT },
    isRegistrationClosed: config.REGISTRATION === 'closed',
    trustProxy: config.TRUST_PROXY,
    corsOrigins: config.CORS_ORIGINS,
    webDir: config.WEB_DIR,
    logger: { level: config.LOG_LEVEL },
  });
  app.addHook('onClose', async () => {
    await views.close();
    await engine.close();
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close());
  try {
    await app.listen({ host: config.HOST, port: config.PORT });
  } catch (cause) {
    await app.close();
    const reason = cause instanceof Error ? cause.message : 'the reason is unknown';
    throw new ConfigError(`HOST and PORT do not name an address to listen on: ${reason}.`, { cause });
  }
}
