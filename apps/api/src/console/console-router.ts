import { agentIdSchema, agentStates, countOf, formatCount, searchRequestSchema } from '@agent-registry/contracts';
import { z } from 'zod';
import { type OperatorAction, readLastAction } from '../actions/record-of-actions.ts';
import { createOperatorStore, type OperatorStore, type ReportedAgent } from '../operator/operator-store.ts';
import { readDailyFigures } from '../figures/daily-figures.ts';
import type { Reviewed } from '../operator/reviews.ts';
import { verbs } from '../operator/verbs.ts';
import { RegistryError } from '../registry-error.ts';
import { toProposedVersion } from '../agents/proposals.ts';
import { act, consoleVerbs, offer, offerDismissal, offerFor, queueVerbs, searchVerbs } from './act.ts';
import { procedure, router } from './console-trpc.ts';
import { findRelated } from './find-related.ts';
import { compare, MAX_CHANGED_AGENTS, MAX_SHOWN, previewVerb, searchAgents, withReports } from './search-agents.ts';
import type { Engine } from '../db/engine.ts';
import { measureRegistry } from '../operator/measure-registry.ts';
import { readQueues } from '../observability/metrics.ts';
import { readRefused } from '../webhook/webhook-store.ts';
import manifest from '../../package.json' with { type: 'json' };

const version: string = manifest.version;

/** After how long without a backup the operator is warned, in milliseconds: a daily one may be late. */
const BACKUP_PERIOD = 2 * 86_400_000;

/** Something that is right, or is not. */
type Check = {
  name: string;
  isRight: boolean;
  detail: string;
  /** The time that the detail ends with: ISO 8601 in UTC. */
  at?: string | undefined;
};

const idSchema = z.object({ id: agentIdSchema });
const condition = z.string().max(2_048).optional();

/** The filters of the commands, as typed; in place of a file of ids those of a list. */
const filtersSchema = z.object({
  since: condition,
  text: condition,
  host: condition,
  email: condition,
  category: condition,
  hiddenAt: condition,
  /** In the address of the call there is room for those of one page. */
  ids: z.array(agentIdSchema).min(1).max(100).optional(),
  states: z
    .array(z.enum(agentStates))
    .min(1, 'Choose a state')
    .default([...agentStates]),
});

const verbSchema = z.enum(consoleVerbs);
const actSchema = z
  .object({
    verb: verbSchema,
    targets: z
      .array(idSchema.extend({ seen: z.string().max(100).optional() }))
      .min(1)
      .max(MAX_CHANGED_AGENTS),
    reason: z.string().optional(),
    takesBack: verbSchema.optional(),
  })
  .refine(({ verb, reason }) => !verbs[verb].reasonFor || reason !== undefined, 'This needs a reason');

/** The calls of the operator's console. The public server has none of them. */
export const consoleRouter = router({
  /** Who acts, and on which registry. */
  session: procedure.query(({ ctx: { by, site } }) => ({ by, ...site })),

  /** Facts about the registry as a whole. */
  system: procedure.query(({ ctx: { engine } }) => readSystem(engine, Date.now())),

  /** Does something to agents. */
  act: procedure.input(actSchema).mutation(({ ctx, input }) => act(ctx, input)),

  figures: router({
    /** The figures of the last 90 days, oldest first. */
    daily: procedure.query(({ ctx: { engine } }) => readDailyFigures(engine.db)),
  }),

  queue: router({
    /** What has waited longest, with the numbers of reports, how much waits in all, and what can be done. */
    list: procedure.query(async ({ ctx: { engine } }) => {
      const items: Reviewed[] = [];
      for await (const item of createOperatorStore(engine).streamReviewed('held')) items.push(item);
      const shown = items.toSorted((a, b) => compare(a.since, b.since)).slice(0, MAX_SHOWN);
      return {
        items: await withReports(engine, shown),
        total: items.length,
        verbs: offer(queueVerbs),
      };
    }),
  }),

  reports: router({
    /** The listed agents with most reports, what can be done about them, and how many have any. */
    list: procedure.query(async ({ ctx: { engine } }) => {
      const reported: ReportedAgent[] = [];
      for await (const agent of createOperatorStore(engine).streamReported()) reported.push(agent);
      const agents = reported.toSorted((a, b) => b.reports.length - a.reports.length).slice(0, MAX_SHOWN);
      return {
        agents: agents.map((agent) => ({
          ...agent,
          verbs: [...offer(['hide']), ...offerDismissal(agent.reports.length)],
        })),
        total: reported.length,
      };
    }),
  }),

  agents: router({
    /** An agent with all that is known of it, the actions on it, latest first, and what can be done to it. */
    get: procedure.input(idSchema).query(async ({ ctx: { engine }, input: { id } }) => {
      const store = createOperatorStore(engine);
      const found = await inspect(store, id);
      const actions: OperatorAction[] = [];
      for await (const action of store.streamActions({ id })) actions.unshift(action);
      return { ...found, actions, verbs: offerFor(found), reportVerbs: offerDismissal(found.reports.length) };
    }),

    /** What is related to an agent, or to the version that its owner proposes. */
    related: procedure.input(idSchema).query(async ({ ctx: { engine }, input: { id } }) => {
      const store = createOperatorStore(engine);
      const { agent, proposal } = await inspect(store, id);
      const waiting = proposal?.state === 'waiting' ? proposal : undefined;
      return findRelated(engine, store, toProposedVersion(agent, waiting));
    }),

    /** The latest agents that meet all conditions, how many there are, and what can be done to them. */
    search: procedure.input(filtersSchema).query(async ({ ctx: { engine }, input }) => ({
      ...(await searchAgents(engine, createOperatorStore(engine), input)),
      verbs: offer(searchVerbs),
    })),

    /** The first results of a public search, and what their scores are made of. */
    explain: procedure
      .input(z.object({ q: searchRequestSchema.shape.q }))
      .query(({ ctx: { engine }, input: { q } }) => createOperatorStore(engine).explainSearch(q)),

    /** Which agents a verb would change of all that meet the conditions. Changes nothing. */
    preview: procedure
      .input(filtersSchema.extend({ verb: verbSchema }))
      .query(({ ctx: { engine }, input: { verb, ...filters } }) =>
        previewVerb(createOperatorStore(engine), verb, filters),
      ),
  }),
});

async function inspect(store: OperatorStore, id: string) {
  const found = await store.inspect(id);
  if (!found) throw new RegistryError('not-found', 'No agent has this id');
  return found;
}

/** The type of the router, for the page. */
export type ConsoleRouter = typeof consoleRouter;

/**
 * Reads the facts about the registry as a whole.
 * @param now the time, in milliseconds since 1970
 */
async function readSystem(engine: Engine, now: number) {
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
  const webhook = await db.selectFrom('webhook').selectAll().where('name', '=', 'operator').executeTakeFirst();
  if (!webhook) return { name: 'Webhook', isRight: true, detail: 'none is configured' };
  const { failures, due_at: dueAt } = webhook;
  const refused = (await readRefused(db)).length;
  const state = failures === 0 ? 'events are delivered' : `${formatCount(failures)} failures, tried again`;
  return {
    name: 'Webhook',
    isRight: failures === 0 && refused === 0,
    detail: refused === 0 ? state : `${countOf(refused, 'event')} refused: registry webhook list; ${state}`,
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
