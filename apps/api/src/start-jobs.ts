import type { Config } from './config.ts';
import { CHECK_INTERVAL, checkDueConnections, type ConnectionChecks } from './connection-checks/connection-checks.ts';
import type { Engine } from './db/engine.ts';
import { repeat } from './jobs.ts';
import type { Metrics } from './observability/metrics.ts';
import { deleteExpired, EXPIRY_INTERVAL } from './operator/expiry.ts';
import { nameListedServers } from './servers/server-names.ts';
import { LOOK_INTERVAL } from './website-check/website-claims.ts';
import { deliverEvents, DELIVERY_INTERVAL, type WebhookOptions } from './webhook/webhook.ts';
import { createWebhookStore, type WebhookStore } from './webhook/webhook-store.ts';

/** How often connections of new agents are added to those that are checked, in milliseconds. */
const SYNC_INTERVAL = 3_600_000;

type Job = (signal: AbortSignal) => Promise<void>;

/** Starts the background jobs; returns a function that ends them. */
export async function startJobs(
  config: Config,
  engine: Engine,
  options: {
    connections: ConnectionChecks | undefined;
    looks: Job | undefined;
    metrics: Metrics | undefined;
    onError: (error: unknown) => void;
  },
): Promise<() => Promise<void>> {
  const { connections, looks, metrics, onError } = options;
  const { webhookStore, webhook } = openWebhook(config, engine, metrics);
  const asPrimary = await startAsPrimary(engine, async () => {
    await nameListedServers(engine);
    await webhookStore.setConfigured(webhook !== undefined);
  });
  const jobs: [job: Job | undefined, interval: number][] = [
    [(signal) => deleteExpired(engine.db, Date.now(), signal), EXPIRY_INTERVAL],
    [connections && (() => connections.store.sync()), SYNC_INTERVAL],
    [connections && ((signal) => checkDueConnections(connections, signal)), CHECK_INTERVAL],
    [looks, LOOK_INTERVAL],
    [webhook && ((signal) => deliverEvents(webhook, signal)), DELIVERY_INTERVAL],
  ];
  const stops = jobs.flatMap(([job, interval]) => (job ? repeat(asPrimary(job), { interval, onError }) : []));
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

/** Opens the webhook. Without its settings there is only its store. */
function openWebhook(
  { WEBHOOK_URL: url, WEBHOOK_SECRET: secret, PUBLIC_URL: publicUrl }: Config,
  { db }: Engine,
  metrics: Metrics | undefined,
): { webhookStore: WebhookStore; webhook?: WebhookOptions } {
  const webhookStore = createWebhookStore(db);
  if (url === undefined || secret === undefined || publicUrl === undefined) return { webhookStore };
  const onAttempt: WebhookOptions['onAttempt'] = (result) => metrics?.webhookDeliveries.inc({ result });
  return { webhookStore, webhook: { store: webhookStore, target: { url, secret }, publicUrl, onAttempt } };
}
