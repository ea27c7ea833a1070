import {
  agentRequestSchema,
  describeConnection,
  describeLeft,
  entryFactsSchema,
  hashConnections,
  MIN_SHOWN_VIEWS,
  MONTH_DAYS,
  ownAgentRequestSchema,
  type Agent,
  type EntryFacts,
  type HistoryEntry,
  type Offer,
} from '@agent-registry/contracts';
import { getAgent, orRefuse } from '../agents/get-agent.ts';
import { checkConnections } from '../connection-checks/connection-checks.ts';
import { toOfferFacts, toPublicOffer, type OfferRecord } from '../connection-checks/offers.ts';
import { RegistryError } from '../registry-error.ts';
import { procedureFor, router, type Context } from '../trpc.ts';
import { lastMonth, type DayViews } from './view-store.ts';

const DAY = 86_400_000;
/** Most parts of a description that are told of one by one. */
const MAX_LEFT = 20;

export const factsRouter = router({
  facts: procedureFor('agents.facts')
    .input(agentRequestSchema)
    .output(entryFactsSchema)
    .query(({ ctx, input: { id } }) => readFacts(ctx, id)),

  checkConnections: procedureFor('agents.checkConnections')
    .input(ownAgentRequestSchema)
    .output(entryFactsSchema)
    .mutation(async ({ ctx, input: { id } }) => {
      const agent = await findOwn(ctx, id, ctx.key ?? '');
      if (!ctx.connectionChecks) throw new RegistryError('forbidden', 'This registry does not check connections');
      if (!agent.connections) throw new RegistryError('unprocessable', 'This agent has no connections to check');
      await checkConnections(ctx.connectionChecks, id);
      return readOwnFacts(ctx, agent);
    }),
});

async function readFacts(ctx: Context, id: string): Promise<EntryFacts> {
  const { agents, sources, views, key } = ctx;
  if (key !== undefined) return readOwnFacts(ctx, await findOwn(ctx, id, key));
  const agent = await getAgent(agents, id);
  const facts = await readCommonFacts(ctx, agent, toPublicOffer);
  const sum = total(await views.ofAgent(id));
  return {
    ...facts,
    monthlyViews: sum >= MIN_SHOWN_VIEWS ? sum : null,
    // An agent that its owner has claimed was not imported.
    sources: orNone(await sources.ofAgent(id)),
    connections: facts.connections?.map((one) => ({ ...one, reason: '' })),
    server: facts.server && { ...facts.server, refusal: undefined },
  };
}

async function findOwn(ctx: Context, id: string, key: string): Promise<Agent> {
  const { agent } = await orRefuse(ctx, id, await ctx.agents.findOwned(id, key));
  return agent;
}

async function readOwnFacts(ctx: Context, agent: Agent): Promise<EntryFacts> {
  const days = await ctx.views.ofAgent(agent.id);
  const facts = await readCommonFacts(ctx, agent, ({ offer }) => offer);
  const known = new Map(days.map(({ day, views }) => [day, views]));
  const viewsByDay = lastMonth().map((day) => ({ day, views: known.get(day) ?? 0 }));
  return { ...facts, monthlyViews: total(days), viewsByDay };
}

/** Reads what the owner of an agent and everybody else may know. */
async function readCommonFacts(
  ctx: Context,
  agent: Agent,
  toShown: (record: OfferRecord) => Offer,
): Promise<Omit<EntryFacts, 'monthlyViews'>> {
  const addresses = agent.connections?.map(describeConnection) ?? [];
  const history = agent.connections ? await ctx.changes.history(agent.id) : [];
  const offers = addresses.length > 0 ? await ctx.connectionChecks?.store.offersOf(agent.id) : undefined;
  const shown = offers?.filter(({ address }) => addresses.includes(address)) ?? [];
  return {
    besides: orNone(await ctx.sources.besides(agent)),
    connectionsChangedAt: findConnectionsChange(history),
    connectionsHash: agent.connections && (await hashConnections(agent.connections)),
    connections: await readConnectionChecks(ctx, agent),
    offers: orNone(
      toOfferFacts(
        shown.map((one) => ({ ...one, offer: toShown(one) })),
        history,
      ),
    ),
    server: await readServer(ctx, agent),
  };
}

function orNone<Item>(items: Item[]): Item[] | undefined {
  return items.length > 0 ? items : undefined;
}

/** When the connections of an agent were replaced in the last month: visitors may know the former ones. */
function findConnectionsChange(history: readonly HistoryEntry[]): string | undefined {
  const since = new Date(Date.now() - MONTH_DAYS * DAY).toISOString();
  const change = history.find(
    ({ at, fields }) => at >= since && fields.some(({ field, from }) => field === 'connections' && from !== null),
  );
  return change?.at;
}

/** What the connections that an agent has now answered last. */
async function readConnectionChecks({ connectionChecks }: Context, agent: Agent) {
  const addresses = (agent.connections ?? []).map(describeConnection);
  const found = addresses.length > 0 ? await connectionChecks?.store.ofAgent(agent.id) : undefined;
  return orNone(found?.filter(({ address }) => addresses.includes(address)) ?? []);
}

/** The name of an agent as an MCP server, and what is left out of the description of its source. */
async function readServer({ servers }: Context, agent: Agent): Promise<EntryFacts['server']> {
  const found = (await servers.ofAgents([agent.id])).get(agent.id);
  if (!found) return undefined;
  const { name, version, left, status, statusMessage = '' } = found;
  const others = left.length > MAX_LEFT ? [`${left.length - MAX_LEFT} others`] : [];
  const parts = [...left.slice(0, MAX_LEFT).map((part) => describeLeft(part)), ...others];
  const deprecated = status === 'deprecated' ? statusMessage : undefined;
  return { name, version, deprecated, refusal: servers.explainName(agent, name), left: parts };
}

function total(days: readonly DayViews[]): number {
  return days.reduce((sum, { views }) => sum + views, 0);
}
