import { countOf, editableFields, type Agent } from '@agent-registry/contracts';
import type { Command } from 'commander';
import { toWebsiteKey } from '../agents/text-keys.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { crawlSource, toSourceFetch } from '../sync/crawl-source.ts';
import { assertLikely } from '../sync/plan-absent.ts';
import { planSync } from '../sync/plan-sync.ts';
import { readSources, type Source, SourceError } from '../sync/read-sources.ts';
import { findSource, pinFields } from '../sync/source-store.ts';
import { applySync, toReading, type LeftEntry, type PlanOptions, type SyncPlan } from '../sync/sync-plan.ts';
import { createAgentReader } from '../sync/to-new-agent.ts';
import { createGuardedFetch } from '../website-check/guarded-fetch.ts';
import { toUserAgent } from '../website-check/user-agent.ts';
import {
  readActing,
  type ActingOptions,
  CommandError,
  MAX_PRINTED,
  MAX_SHOWN,
  parseId,
  readCategories,
  toTerminalText,
  type CommandLine,
} from './command.ts';

type SyncOptions = ActingOptions & {
  dryRun?: boolean;
  complete?: boolean;
  only?: string;
  manyWithdrawals?: string;
  manyAdditions?: string;
};

/** Follows the sources of a file. A source that cannot be read changes nothing, and the others are followed. */
export async function sync(context: CommandLine, path: string, options: SyncOptions): Promise<void> {
  const acting = readActing('sync', options);
  const all = await readSourceFile(context, path, options);
  const planned = new Map<string, Agent>();
  const named = all.flatMap(({ name, names }) => (names ? name : []));
  const failed: string[] = [];
  await context.withDatabase(async ({ engine }) => {
    for (const source of all.filter(({ name }) => options.only === undefined || name === options.only)) {
      const { name } = source;
      try {
        const now = new Date().toISOString();
        const plan = await planSource(context, source, options, { engine, planned, named, now });
        report(context, plan, !options.dryRun);
        assertLikely(plan, {
          withdrawals: options.manyWithdrawals === name,
          additions: options.manyAdditions === name,
        });
        if (options.dryRun) noteAdditions(planned, plan);
        else {
          await applySync(plan, { engine, operator: createOperatorStore(engine, acting), named }, now);
          context.say(`${name} was followed.`);
        }
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        failed.push(`${name} was not followed: ${toTerminalText(error.message)}.`);
      }
    }
  });
  if (failed.length > 0) throw new CommandError(failed.join('\n'));
}

export async function changePins(
  context: CommandLine,
  idText: string,
  names: readonly string[],
  options: ActingOptions,
  command: Command,
): Promise<void> {
  const acting = readActing(command.name(), options);
  const id = parseId(idText);
  const given = editableFields.filter((field) => names.includes(field));
  if (given.length < new Set(names).size) {
    throw new CommandError(`Name some of these fields: ${editableFields.join(', ')}.`);
  }
  await context.withDatabase(async ({ engine }) => {
    const pinned = await pinFields(engine, acting, id, (former) =>
      command.name() === 'pin' ? [...former, ...given] : [...former].filter((field) => !given.includes(field)),
    );
    if (!pinned) throw new CommandError('No source has this agent.');
    context.say(`Pinned: ${pinned.join(', ') || 'no field'}.`);
  });
}

async function readSourceFile(
  { loadConfig }: CommandLine,
  path: string,
  { only, manyWithdrawals, manyAdditions }: SyncOptions,
): Promise<Source[]> {
  const sources = await readSources(path, readCategories(loadConfig()));
  const names = new Set<string | undefined>([undefined, ...sources.map(({ name }) => name)]);
  const unknown = [only, manyWithdrawals, manyAdditions].find((name) => !names.has(name));
  if (unknown !== undefined) throw new CommandError(`${path} has no source ${toTerminalText(unknown)}.`);
  return sources;
}

async function planSource(
  { loadConfig, fetch = createGuardedFetch() }: CommandLine,
  source: Source,
  { complete }: SyncOptions,
  options: Pick<PlanOptions, 'engine' | 'planned' | 'named' | 'now'>,
): Promise<SyncPlan> {
  const { db, categories } = options.engine;
  const former = await findSource(db, source.name);
  const isReread = former !== undefined && former.reading !== toReading(source);
  // At another address it is read from its start.
  const isWhole = complete || isReread || former?.address !== source.address;
  const client = { fetch: toSourceFetch(source, fetch), userAgent: toUserAgent(loadConfig().PUBLIC_URL ?? '') };
  const crawl = await crawlSource(source, isWhole ? null : (former?.mark ?? null), client);
  const readAgent = createAgentReader(source, categories);
  return planSync(source, { ...options, wasFollowed: former !== undefined, isReread, crawl, readAgent });
}

/** Notes what a source would add, since the next one may have the same websites. */
function noteAdditions(planned: Map<string, Agent>, { adds }: SyncPlan): void {
  for (const { agent } of adds) {
    const key = toWebsiteKey(agent.website);
    if (key !== null && !planned.has(key)) planned.set(key, agent);
  }
}

function report(context: CommandLine, plan: SyncPlan, isDone: boolean): void {
  const { source, adds, changes, returns, joins, withdrawals, refused, left, partial, unchanged, kept, crawl } = plan;
  const { name } = source;
  for (const { agent } of adds) context.sayRow(name, 'add', agent.id, agent.name);
  if (!isDone) for (const { agent } of adds.slice(0, MAX_SHOWN)) context.sayJson(agent);
  for (const { agent, patch } of changes) {
    context.sayRow(name, 'change', agent.id, agent.name, Object.keys(patch).join(', '));
  }
  for (const { agent } of returns) context.sayRow(name, 'return', agent.id, agent.name);
  for (const { agent } of joins) context.sayRow(name, 'join', agent.id, agent.name);
  for (const { agent } of withdrawals) context.sayRow(name, 'withdraw', agent.id, agent.name);
  const faults = [...refused, ...left, ...partial];
  for (const { id, fault } of isDone ? faults.slice(0, MAX_PRINTED) : faults) {
    context.stderr.write(`${toTerminalText(`${name}, ${id}: ${fault}`)}.\n`);
  }
  const counts = [
    `${adds.length} to add`,
    `${changes.length} to change`,
    `${withdrawals.length} to withdraw`,
    ...(returns.length > 0 ? [`${returns.length} to list again`] : []),
    ...(joins.length > 0 ? [`${joins.length} with the name and website of an agent`] : []),
    `${unchanged} unchanged`,
    ...(kept > 0 ? [`${kept} kept, since they were claimed, hidden, withdrawn or erased here`] : []),
    ...(refused.length > 0 ? [`${refused.length} refused`] : []),
    ...countFaults(left).map((text) => `${text} (not added)`),
    ...countFaults(partial).map((text) => `${text} (not described as there)`),
  ];
  const unnamed =
    crawl.unnamed > 0
      ? ` ${countOf(crawl.unnamed, 'entry has', 'entries have')} no name, so that absence says nothing.`
      : '';
  const read = crawl.isComplete ? 'read completely' : 'read since the last time';
  if (plan.isReread) {
    context.say(`${name} is read from its start once, since this version takes more of its entries over.`);
  }
  context.say(`${name} (${read}): ${counts.join(', ')}.${unnamed}`);
}

function countFaults(entries: readonly LeftEntry[]): string[] {
  const byFault = Map.groupBy(entries, ({ fault }) => fault.toLowerCase());
  return [...byFault].map(([fault, { length }]) => `${length}: ${fault}`);
}
