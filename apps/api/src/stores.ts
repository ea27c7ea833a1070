import type { CategoryId, Report, ReportReason } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import {
  findAll,
  lastChange,
  listAgents,
  listLatest,
  searchAgents,
  searchWhole,
  type ListRequest,
  type PageRequest,
} from './agents/agent-lists.ts';
import { countAgents, countByCategory, countFacets } from './agents/list-counts.ts';
import { datePartsOf, listMonths, streamPart } from './agents/list-months.ts';
import { readPage, streamList, type PublicContact } from './agents/list-pages.ts';
import type { ListFilters } from './agents/list-selection.ts';
import { toAgent } from './db/records.ts';
import type { Tables } from './db/tables.ts';
import { findOwned } from './agents/find-owned.ts';
import { createOwnerChanges } from './agents/owner-changes.ts';
import { createRegistrations } from './agents/registrations.ts';
import { addReport } from './agents/reports.ts';
import type { Engine } from './db/engine.ts';
import { etagOf } from './etag.ts';
import { toRegistry } from './operator/listeners.ts';
import { findSuggestions } from './suggestions/suggestions.ts';

type AgentStoreOptions = {
  /** Whether lists and searches have the contact addresses; single agents always do. */
  publicContact?: PublicContact;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
  /** Called for each registered agent, after its commit. */
  onRegistered?: (() => void) | undefined;
  /** Called with the reason of each report, after its commit. */
  onReported?: ((reason: ReportReason) => void) | undefined;
};

export type AgentStore = ReturnType<typeof createAgentStore>;

export function createAgentStore(
  engine: Engine,
  {
    publicContact = 'everywhere',
    now = () => Date.now(),
    onRegistered = () => {},
    onReported = () => {},
  }: AgentStoreOptions = {},
) {
  const { db } = engine;
  const registry = toRegistry(engine);
  const lists = { ...engine, publicContact };
  return {
    publicContact,
    list: (request?: Parameters<typeof listAgents>[1]) => listAgents(lists, request),
    stream: (request: ListRequest = {}) => streamList(lists, request),
    /** A page of a list; undefined when the cursor is of another order, or an id that is not in that list. */
    page: (request: PageRequest) => readPage(lists, request, request, () => countAgents(engine, request)),
    findAll: (ids: readonly string[], maxBytes: number) => findAll(lists, ids, maxBytes),
    latest: (request: Parameters<typeof listLatest>[1]) => listLatest(lists, request),
    lastChange: (category?: CategoryId) => lastChange(engine, category),
    search: (request: Parameters<typeof searchAgents>[1]) => searchAgents(lists, request),
    searchWhole: (request: Parameters<typeof searchWhole>[1]) => searchWhole(lists, request),
    count: (filters?: ListFilters) => countAgents(engine, filters),
    countByCategory: () => countByCategory(engine),
    countFacets: (request: Parameters<typeof countFacets>[1]) => countFacets(engine, request),
    listMonths: () => listMonths(engine),
    datePartsOf: (month: string, size: number) => datePartsOf(engine, month, size),
    streamPart: (request: Parameters<typeof streamPart>[1]) => streamPart(lists, request),
    ...createRegistrations(registry, now, onRegistered),
    ...createOwnerChanges(registry, now),

    /** Stores a report of a listed agent; undefined if the agent is not listed. */
    async report(id: string, { reason, text }: Pick<Report, 'reason' | 'text'>): Promise<Report | undefined> {
      const report = { reason, text, createdAt: new Date(now()).toISOString() };
      if (!(await addReport(registry, id, report))) return undefined;
      onReported(reason);
      return report;
    },

    version: () => engine.version(),

    /** When the registry began, or was replaced by a backup. */
    async begunAt(): Promise<string> {
      const row = await db
        .selectFrom('agent_counts')
        .select('changed_at')
        .where('category', '=', '')
        .executeTakeFirst();
      return row?.changed_at ?? new Date(0).toISOString();
    },

    isStandby: () => engine.isStandby(),

    /** The version of the agents of a category, which changes with each change of one of them. */
    versionOfCategory: (category: CategoryId) => engine.version(category),

    /** The versions of agents: hashes of all that is stored of them. That of an agent that is not listed is empty. */
    async versionsOf(ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return [];
      const rows = await db.selectFrom('agents').selectAll().where('id', 'in', ids).execute();
      const versions = new Map(rows.map((row) => [row.id, etagOf(JSON.stringify(row))]));
      return ids.map((id) => versions.get(id) ?? '');
    },

    findReleased: (ids: readonly string[]) => findReleased(db, ids),

    async find(id: string) {
      const row = await db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toAgent(row);
    },

    async isWithdrawn(id: string) {
      const row = await db
        .selectFrom('unlisted_agents')
        .select('id')
        .where('id', '=', id)
        .where('state', '=', 'withdrawn')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Finds an agent by id for its owner, also while it or its changes wait for review. */
    findOwned: (id: string, key: string) => findOwned(db, id, key),

    /** The agents and capabilities that begin with a text: a few of each, without the contact address. */
    suggest: (text: string) => findSuggestions(db, text, now()),
  };
}

/** Those of these agents whose present connections an operator has released, as far as actions are kept. */
async function findReleased(db: Kysely<Tables>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const changed = db
    .selectFrom('agent_changes')
    .select(['agent_id', (select) => select.fn.max('at').as('at')])
    .where('agent_id', 'in', ids)
    // Quotation marks in texts are escaped.
    .where((where) => where.or([where('kind', '=', 'listed'), where('fields', 'like', '%"connections":%')]))
    .groupBy('agent_id');
  const rows = await db
    .selectFrom('operator_actions')
    .innerJoin(changed.as('changed'), 'changed.agent_id', 'operator_actions.agent_id')
    .select('changed.agent_id as id')
    .distinct()
    .where('command', '=', 'release')
    .whereRef('operator_actions.at', '>=', 'changed.at')
    .execute();
  return new Set(rows.map(({ id }) => id));
}
