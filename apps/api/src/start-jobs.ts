import type { Config } from './config.ts';
import { CHECK_INTERVAL, type openConnectionChecks } from './connection-checks/connection-checks.ts';
import { createChangeStore } from './changes/change-log.ts';
import type { Engine } from './db/engine.ts';
import { createDumpJob, DUMP_INTERVAL } from './dump/dump.ts';
import { repeat } from './jobs.ts';
import { createLivenessRounds, ROUND_INTERVAL, type LivenessOptions } from './liveness/liveness.ts';
import type { Metrics } from './observability/metrics.ts';
import { deleteExpired, EXPIRY_INTERVAL } from './operator/expiry.ts';
import { createRateLimitStore } from './rate-limit/rate-limit-store.ts';
import { nameListedServers } from './servers/server-names.ts';
import { createAgentStore } from './stores.ts';
import { LOOK_INTERVAL } from './website-check/repository-looks.ts';
import { deliverEvents, DELIVERY_INTERVAL, type WebhookOptions } from './webhook/webhook.ts';
import { createWebhookStore, type WebhookStore } from './webhook/webhook-store.ts';

type Job = (signal: AbortSignal) => Promise<void>;

/** Starts the background jobs; returns a function that ends them. */
export async function startJobs(
  config: Config,
  engine: Engine,
  options: {
    hosts: LivenessOptions | undefined;
    connections: ReturnType<typeof openConnectionChecks>;
    looks: Job | undefined;
    metrics: Metrics | undefined;
    onError: (error: unknown) => void;
  },
): Promise<() => Promise<void>> {
  const { hosts, connections, looks, metrics, onError } = options;
  const receivers = openReceivers(config, engine, metrics);
  const asPrimary = await startAsPrimary(engine, async () => {
    await nameListedServers(engine);
    for (const { store, options: target } of receivers) await store.setConfigured(target !== undefined);
  });
  const expire: Job = (signal) => deleteExpired(engine.db, Date.now(), signal);
  const dump = openDump(config, engine);
  const stops = [
    repeat(asPrimary(expire), { interval: EXPIRY_INTERVAL, onError }),
    ...(hosts ? [repeat(asPrimary(createLivenessRounds(hosts)), { interval: ROUND_INTERVAL, onError })] : []),
    ...(connections ? [repeat(asPrimary(connections.round), { interval: CHECK_INTERVAL, onError })] : []),
    ...(looks ? [repeat(asPrimary(looks), { interval: LOOK_INTERVAL, onError })] : []),
    ...(dump ? [repeat(asPrimary(dump), { interval: DUMP_INTERVAL, onError })] : []),
    ...receivers.flatMap(({ store, options: target }) => {
      if (!target) return [];
      const deliver: Job = (signal) => deliverEvents({ store, ...target }, signal);
      return [repeat(asPrimary(deliver), { interval: DELIVERY_INTERVAL, onError })];
    }),
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

/** Opens the job that makes dumps; undefined without a folder for them. */
function openDump({ DUMP_DIR: folder, PUBLIC_URL: publicUrl }: Config, engine: Engine): Job | undefined {
  if (folder === undefined) return undefined;
  return createDumpJob({
    folder,
    publicUrl,
    agents: createAgentStore(engine),
    changes: createChangeStore(engine.db),
    rateLimitStore: createRateLimitStore(engine),
  });
}

type Receiver = { store: WebhookStore; options: Omit<WebhookOptions, 'store'> | undefined };

/** The receivers of events; one that is not configured has no options. */
function openReceivers(
  { WEBHOOK_URL, PURGE_URL, WEBHOOK_SECRET: secret, PUBLIC_URL: publicUrl }: Config,
  { db }: Engine,
  metrics: Metrics | undefined,
): Receiver[] {
  const onAttempt = (result: string) => metrics?.webhookDeliveries.inc({ result });
  const open = (url: string | undefined, isPurge: boolean): Receiver['options'] =>
    url === undefined || secret === undefined || publicUrl === undefined
      ? undefined
      : { target: { url, secret, isPurge }, publicUrl, onAttempt };
  return [
    { store: createWebhookStore(db), options: open(WEBHOOK_URL, false) },
    { store: createWebhookStore(db, undefined, 'purge'), options: open(PURGE_URL, true) },
  ];
}
