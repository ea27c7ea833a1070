import type { Config } from './config.ts';
import { CHECK_INTERVAL, type openConnectionChecks } from './connection-checks/connection-checks.ts';
import { createChangeStore } from './changes/change-log.ts';
import type { Engine } from './db/engine.ts';
import { createDumpJob, DUMP_INTERVAL } from './dump/dump.ts';
import { repeat } from './jobs.ts';
import { createLivenessRounds, ROUND_INTERVAL, type LivenessOptions } from './liveness/liveness.ts';
import type { Metrics } from './observability/metrics.ts';
import { deleteExpired, EXPIRY_INTERVAL } from './operator/expiry.ts';
import type { RateLimitStore } from './rate-limit/rate-limit-store.ts';
import { nameListedServers } from './servers/server-names.ts';
import type { AgentStore } from './stores.ts';
import { LOOK_INTERVAL } from './website-check/repository-looks.ts';
import { deliverEvents, DELIVERY_INTERVAL, type WebhookOptions } from './webhook/webhook.ts';
import { createWebhookStore } from './webhook/webhook-store.ts';

type Job = (signal: AbortSignal) => Promise<void>;

/** Starts the background jobs; returns a function that ends them. */
export async function startJobs(
  config: Config,
  engine: Engine,
  options: {
    agents: AgentStore;
    rateLimitStore: RateLimitStore;
    hosts: LivenessOptions | undefined;
    connections: ReturnType<typeof openConnectionChecks>;
    looks: Job | undefined;
    metrics: Metrics | undefined;
    onError: (error: unknown) => void;
  },
): Promise<() => Promise<void>> {
  const { agents, rateLimitStore, hosts, connections, looks, metrics, onError } = options;
  const { DUMP_DIR: folder, PUBLIC_URL: publicUrl } = config;
  const store = createWebhookStore(engine.db);
  const webhook = openWebhook(config, store, metrics);
  const asPrimary = await startAsPrimary(engine, async () => {
    await nameListedServers(engine);
    await store.setConfigured(webhook !== undefined);
  });
  const expire: Job = (signal) => deleteExpired(engine.db, Date.now(), signal);
  const changes = createChangeStore(engine.db);
  const dump = folder === undefined ? undefined : createDumpJob({ folder, agents, changes, rateLimitStore, publicUrl });
  const deliver: Job | undefined = webhook && ((signal) => deliverEvents(webhook, signal));
  const stops = [
    repeat(asPrimary(expire), { interval: EXPIRY_INTERVAL, onError }),
    ...(hosts ? [repeat(asPrimary(createLivenessRounds(hosts)), { interval: ROUND_INTERVAL, onError })] : []),
    ...(connections ? [repeat(asPrimary(connections.round), { interval: CHECK_INTERVAL, onError })] : []),
    ...(looks ? [repeat(asPrimary(looks), { interval: LOOK_INTERVAL, onError })] : []),
    ...(dump ? [repeat(asPrimary(dump), { interval: DUMP_INTERVAL, onError })] : []),
    ...(deliver ? [repeat(asPrimary(deliver), { interval: DELIVERY_INTERVAL, onError })] : []),
  ];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

/**
 * Prepares the database, on a standby once it is promoted.
 * @returns wraps a job so that it runs on a prepared database only
 */
async function startAsPrimary(engine: Engine, prepare: () => Promise<void>): Promise<(job: Job) => Job> {
  let isPrepared = !(await engine.isStandby());
  if (isPrepared) await prepare();
  return (job) => async (signal) => {
    if (await engine.isStandby()) return;
    // It changes nothing when several jobs do it.
    if (!isPrepared) await prepare();
    isPrepared = true;
    await job(signal);
  };
}

/** Opens the webhook; undefined if none is configured. */
function openWebhook(
  { WEBHOOK_URL: url, WEBHOOK_SECRET: secret, PUBLIC_URL: publicUrl }: Config,
  store: WebhookOptions['store'],
  metrics: Metrics | undefined,
): WebhookOptions | undefined {
  if (url === undefined || secret === undefined || publicUrl === undefined) return undefined;
  const onAttempt = (result: string) => metrics?.webhookDeliveries.inc({ result });
  return { store, target: { url, secret }, publicUrl, onAttempt };
}
