import {
  formatCount,
  type AgentState,
  agentStates,
  cutText,
  fold,
  MAX_SEARCH_LENGTH,
  nameWebsite,
  type Agent,
} from '@agent-registry/contracts';
import { type AgentSelection, parseConditions, type Conditions } from '../agents/select-agents.ts';
import type { OperatorStore } from '../operator/operator-store.ts';
import { countReports } from '../agents/reports.ts';
import type { Engine } from '../db/engine.ts';
import { streamAgents, streamConcerned, type FoundAgent } from '../operator/stream-agents.ts';
import { verbs, type VerbName } from '../operator/verbs.ts';
import { RegistryError } from '../registry-error.ts';
import { toAgent } from '../db/records.ts';

/** How many related agents of a kind are named. */
const MAX_NAMED = 5;

/** What entries have in common: the host of the website or the account on it, the contact email, or the description. */
type Bond = 'host' | 'email' | 'text';

type RelatedAgent = { id: string; name: string; state: AgentState };

/** Agents that are related to another one: how many there are, and some of them, latest first. */
type RelatedAgents = { total: number; agents: RelatedAgent[] };

/** What is related to an agent: of all states what it has something in common with, and what the search finds alike. */
type Related = Record<Bond, RelatedAgents> & { alike: RelatedAgent[] };

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
  const latest: FoundAgent[] = [];
  let total = 0;
  for await (const found of streamAgents(store, states, toSelection(filters))) {
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

function newest(found: readonly FoundAgent[]): FoundAgent[] {
  return found
    .toSorted(({ agent: a }, { agent: b }) => (a.createdAt < b.createdAt ? 1 : Number(a.createdAt > b.createdAt) * -1))
    .slice(0, MAX_SHOWN);
}

/** Finds what is related to a version of an agent. Reads all agents once. */
export async function findRelated(engine: Engine, store: OperatorStore, agent: Agent): Promise<Related> {
  const related = { host: nothing(), email: nothing(), text: nothing() };
  const bondsWith = createBonds(agent);
  const note = (other: Agent, state: AgentState) => {
    for (const bond of bondsWith(other)) {
      related[bond].total += 1;
      // Agents come in the order in which they were stored.
      related[bond].agents = [toRelated(other, state), ...related[bond].agents].slice(0, MAX_NAMED);
    }
  };
  for await (const { agent: other, state } of streamAgents(store, agentStates)) note(other, state);
  return { ...related, alike: await findAlike(engine, agent) };
}

function createBonds(agent: Agent): (other: Agent) => Bond[] {
  const keys = toKeys(agent);
  return (other) => {
    if (other.id === agent.id) return [];
    const others = toKeys(other);
    return (['host', 'email', 'text'] as const).filter((bond) => keys[bond] !== '' && keys[bond] === others[bond]);
  };
}

function toKeys({ website, contactEmail, description }: Agent): Record<Bond, string> {
  return { host: toHostKey(website), email: contactEmail.toLowerCase(), text: fold(description) };
}

/** The host of a website; on one whose pages belong to many people, with the account. */
function toHostKey(website: string | null): string {
  const site = website === null ? undefined : nameWebsite(website);
  return site && !site.isGallery ? site.name.toLowerCase() : '';
}

/** The listed agents that a search for the name and the capabilities finds. */
async function findAlike({ db, search }: Engine, { id, name, capabilities }: Agent): Promise<RelatedAgent[]> {
  // Without the signs that have a meaning in a search text.
  const words = [name, ...capabilities].join(' ').replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
  const text = cutText(words.trim(), MAX_SEARCH_LENGTH);
  const hits = text === '' ? undefined : await search({ text, limit: MAX_NAMED + 1 });
  if (!hits || hits.seqs.length === 0) return [];
  const rows = await db.selectFrom('agents').selectAll().where('seq', 'in', hits.seqs).execute();
  return rows
    .toSorted((a, b) => hits.seqs.indexOf(a.seq) - hits.seqs.indexOf(b.seq))
    .map(toAgent)
    .filter((other) => other.id !== id)
    .slice(0, MAX_NAMED)
    .map((other) => toRelated(other, 'listed'));
}

function nothing(): RelatedAgents {
  return { total: 0, agents: [] };
}

function toRelated({ id, name }: Agent, state: AgentState): RelatedAgent {
  return { id, name, state };
}
