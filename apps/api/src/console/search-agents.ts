import {
  MAX_CHANGED_AGENTS,
  formatCount,
  type Agent,
  type AgentState,
  type ConsoleChange,
} from '@agent-registry/contracts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import { operatorChanges } from '../agents/operator-changes.ts';
import type { OperatorStore } from '../agents/operator-store.ts';
import { parseConditions, type Conditions } from '../agents/parse-conditions.ts';
import { countReports } from '../agents/reports.ts';
import type { Engine } from '../db/engine.ts';
import { RegistryError } from '../registry-error.ts';

/** Most agents that a search shows. */
const MAX_SHOWN = 100;

/** Conditions as typed, the states to look in, and the agents that were picked; all by default. */
export type Filters = Conditions & { ids?: readonly string[] | undefined; states: readonly AgentState[] };

/** An agent of any state. */
export type FoundAgent = {
  agent: Agent;
  state: AgentState;
  /** Since when it is in a state that is not listed: ISO 8601 in UTC. */
  since?: string | undefined;
  /** Why it is hidden or was refused; empty in other states. */
  reason?: string | undefined;
};

/**
 * Finds the agents that meet all conditions: the latest of them, with the numbers of their reports, and how many there are.
 * @throws {ConditionError} for an invalid condition.
 */
export async function searchAgents(engine: Engine, store: OperatorStore, filters: Filters) {
  const latest: FoundAgent[] = [];
  let total = 0;
  for await (const found of streamFound(store, filters)) {
    total += 1;
    latest.push(found);
    // Both streams are in the order of the registration, which is nearly that of `createdAt`.
    if (latest.length > 10 * MAX_SHOWN) latest.splice(0, latest.length, ...newest(latest));
  }
  const shown = newest(latest);
  const reports = await countReports(
    engine.db,
    shown.map(({ agent }) => agent.id),
  );
  return { total, agents: shown.map((found) => ({ ...found, reports: reports.get(found.agent.id) ?? 0 })) };
}

/**
 * Lists the agents that a change would concern: all their ids, the first of them, and what would be done, such as `hidden`.
 * @throws {ConditionError} for an invalid condition.
 * @throws {RegistryError} when there are more than the console changes at once.
 */
export async function previewChange(store: OperatorStore, change: ConsoleChange, { states, ...filters }: Filters) {
  const ids: string[] = [];
  const first: { id: string; name: string }[] = [];
  const { would, preview } = operatorChanges[change];
  for (const source of preview(store, toSelection(filters))) {
    for await (const found of source) {
      const state = 'state' in found ? (found as FoundAgent).state : 'listed';
      const { id, name } = 'agent' in found ? found.agent : found;
      if (!states.includes(state)) continue;
      if (ids.length === MAX_CHANGED_AGENTS) {
        const most = formatCount(MAX_CHANGED_AGENTS);
        throw new RegistryError('unprocessable', `These are more than ${most} agents: use registry ${change}`);
      }
      ids.push(id);
      if (first.length < MAX_SHOWN) first.push({ id, name });
    }
  }
  return { would, ids, first };
}

async function* streamFound(
  store: OperatorStore,
  { states, ...filters }: Filters,
): AsyncGenerator<FoundAgent, void, undefined> {
  const selection = toSelection(filters);
  const unlisted = states.filter((state) => state !== 'listed');
  if (states.includes('listed')) {
    for await (const agent of store.streamVisible(selection)) yield { agent, state: 'listed' };
  }
  // Without a state the store streams those of all.
  if (unlisted.length === 0) return;
  for await (const { agent, state, since, reason } of store.streamUnlisted(selection, ...unlisted)) {
    yield { agent, state, since, reason };
  }
}

function toSelection({ ids, ...conditions }: Omit<Filters, 'states'>): AgentSelection {
  return { ...parseConditions(conditions), ids: ids && new Set(ids) };
}

function newest(found: readonly FoundAgent[]): FoundAgent[] {
  return found
    .toSorted(({ agent: a }, { agent: b }) => (a.createdAt < b.createdAt ? 1 : Number(a.createdAt > b.createdAt) * -1))
    .slice(0, MAX_SHOWN);
}
