import { formatCount, type Agent, type AgentState } from '@agent-registry/contracts';
import { type AgentSelection, parseConditions, type Conditions, type SelectedAgent } from '../agents/select-agents.ts';
import type { OperatorStore } from '../operator/operator-store.ts';
import { countReports } from '../agents/reports.ts';
import type { Engine } from '../db/engine.ts';
import { streamConcerned, verbs, type VerbName } from '../operator/verbs.ts';
import { RegistryError } from '../registry-error.ts';

/** Most agents that a list shows. */
export const MAX_SHOWN = 100;
/** Most agents that the console changes at once; more are a matter of the command line. */
export const MAX_CHANGED_AGENTS = 10_000;

/** Conditions as typed, the states to look in, and the agents that were picked; all by default. */
export type Filters = Conditions & { ids?: readonly string[] | undefined; states: readonly AgentState[] };

/**
 * Finds the agents that meet all conditions: the latest of them, with the numbers of their reports, and how many there are.
 * @throws {ConditionError} for an invalid condition.
 */
export async function searchAgents(engine: Engine, store: OperatorStore, { states, ...filters }: Filters) {
  const latest: Found[] = [];
  let total = 0;
  for await (const { agent, state, since, reason } of store.stream(toSelection(filters), states)) {
    total += 1;
    latest.push({ agent, state, since, reason });
    // Both streams are in the order of the registration, which is nearly that of `createdAt`.
    if (latest.length > 10 * MAX_SHOWN) latest.splice(0, latest.length, ...newest(latest));
  }
  return { total, agents: await withReports(engine, newest(latest)) };
}

/** Adds the numbers of reports of agents. */
export async function withReports<Item extends { agent: Agent }>({ db }: Engine, items: readonly Item[]) {
  const counts = await countReports(
    db,
    items.map(({ agent }) => agent.id),
  );
  return items.map((item) => ({ ...item, reports: counts.get(item.agent.id) ?? 0 }));
}

/**
 * Lists the agents that a verb would change: all their ids, the first of them, and what would be done, such as `hidden`.
 * @throws {ConditionError} for an invalid condition.
 * @throws {RegistryError} when there are more than the console changes at once.
 */
export async function previewVerb(store: OperatorStore, name: VerbName, { states, ...filters }: Filters) {
  const ids: string[] = [];
  const first: { id: string; name: string }[] = [];
  for await (const { agent, state } of streamConcerned(store, verbs[name], toSelection(filters))) {
    if (!states.includes(state)) continue;
    if (ids.length === MAX_CHANGED_AGENTS) {
      const most = formatCount(MAX_CHANGED_AGENTS);
      throw new RegistryError('unprocessable', `These are more than ${most} agents: use registry ${name}`);
    }
    ids.push(agent.id);
    if (first.length < MAX_SHOWN) first.push({ id: agent.id, name: agent.name });
  }
  return { would: verbs[name].would, ids, first };
}

function toSelection({ ids, ...conditions }: Omit<Filters, 'states'>): AgentSelection {
  return { ...parseConditions(conditions), ids: ids && new Set(ids) };
}

type Found = Omit<SelectedAgent, 'seq' | 'keyHash'>;

function newest(found: readonly Found[]): Found[] {
  return found.toSorted((a, b) => compare(b.agent.createdAt, a.agent.createdAt)).slice(0, MAX_SHOWN);
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
