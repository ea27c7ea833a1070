import { formatCount } from '@agent-registry/contracts';
import { readLastAction } from '../actions/record-of-actions.ts';
import type { Engine } from '../db/engine.ts';
import { measureRegistry, type RegistryFigures } from '../operator/measure-registry.ts';
import { version } from '../version.ts';
import { readQueues } from '../observability/moderation-gauges.ts';

/** After how long without a backup the operator is warned, in milliseconds: a daily one may be late. */
const BACKUP_PERIOD = 2 * 86_400_000;

/** Something that is right, or is not. */
export type Check = {
  name: string;
  isRight: boolean;
  detail: string;
  /** The time that the detail ends with: ISO 8601 in UTC. */
  at?: string | undefined;
};

/** Facts about the registry as a whole. */
export type System = RegistryFigures & {
  version: string;
  engine: Engine['name'];
  checks: Check[];
};

/**
 * Reads the facts about the registry as a whole.
 * @param now the time, in milliseconds since 1970
 */
export async function readSystem(engine: Engine, now: number): Promise<System> {
  const figures = await measureRegistry(engine);
  const checks = [await checkBackup(engine, now), await checkWebhook(engine), await checkQueues(engine)];
  return { ...figures, version, engine: engine.name, checks };
}

async function checkBackup({ db }: Engine, now: number): Promise<Check> {
  const last = await readLastAction(db, 'backup');
  return {
    name: 'Last backup',
    isRight: last !== undefined && now - Date.parse(last.at) < BACKUP_PERIOD,
    detail: last ? `by ${last.by},` : 'none is recorded',
    at: last?.at,
  };
}

async function checkWebhook({ db }: Engine): Promise<Check> {
  const webhook = await db.selectFrom('webhook').selectAll().executeTakeFirst();
  if (!webhook) return { name: 'Webhook', isRight: true, detail: 'none is configured' };
  const { failures, due_at: dueAt } = webhook;
  return {
    name: 'Webhook',
    isRight: failures === 0,
    detail: failures === 0 ? 'events are delivered' : `${formatCount(failures)} failures, tried again`,
    at: failures === 0 ? undefined : dueAt,
  };
}

async function checkQueues({ db }: Engine): Promise<Check> {
  const { held, reports } = await readQueues(db);
  const waiting = [held, reports].flatMap(({ oldest }) => oldest ?? []).toSorted();
  const [oldest] = waiting;
  return {
    name: 'Longest wait for the operator',
    isRight: true,
    detail: oldest === undefined ? 'nothing waits' : 'since',
    at: oldest,
  };
}
