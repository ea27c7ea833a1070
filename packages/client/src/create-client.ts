import { endpoints, type Endpoint } from '@agent-registry/contracts';
import type { Changes, ChangesRequest, HistoryEntry } from './change-types.ts';
import { followChanges, type FollowedChanges, type FollowOptions } from './follow-changes.ts';
import type { AgentContext, CallOptions, Mutation, Query } from './calls.ts';
import { createRestCall, type ClientOptions } from './rest-call.ts';
import type {
  AllAgentsRequest,
  CategoryRequest,
  Facets,
  FacetsRequest,
  SearchRequest,
  Suggestions,
  SuggestRequest,
} from './list-types.ts';
import type { Agent, NewAgentInput } from './agent-types.ts';
import type {
  AgentPatch,
  EntryFacts,
  ListedAgent,
  NewReportInput,
  Prefill,
  Report,
  Stats,
  WebsiteChallenge,
} from './types.ts';

/** The agent of a call. */
type OwnAgent = {
  /** The id of the agent: a UUID. */
  id: string;
};

/** What a registration is filled in from. */
type PrefillRequest = {
  /** The address of the website or of an agent card. */
  url: string;
};

/** A client of a registry: a function for each call. `Unauthorized` is the result of a query that gets a 401. */
export type RegistryClient<Unauthorized = never> = {
  /** Lists, finds, searches, registers and changes agents. */
  agents: {
    /** Reads all agents, newest first or in the given order: the whole list, or a page of it. */
    list: Query<AllAgentsRequest | undefined, ListedAgent[] | Unauthorized>;
    /** Reads the agents of a category, newest first or in the given order: the whole list, or a page of it. */
    byCategory: Query<CategoryRequest, ListedAgent[] | Unauthorized>;
    /** Searches for agents by a text, best match first or in the given order. */
    search: Query<SearchRequest, ListedAgent[] | Unauthorized>;
    /** Suggests agents, capabilities and categories while people type: from two characters on, or one of a script without blanks. */
    suggest: Query<SuggestRequest, Suggestions | Unauthorized>;
    /** Counts how many agents of a list each value of a filter would leave. */
    facets: Query<FacetsRequest | undefined, Facets | Unauthorized>;
    /**
     * Reads an agent; rejects with a `RestError` of status 404 if no agent has the id, and 401 if `key` is not its
     * management key.
     */
    get: Query<OwnAgent, Agent | Unauthorized, AgentContext>;
    /** Reads the changes of an agent, latest first; rejects as `get`. */
    history: Query<OwnAgent, HistoryEntry[] | Unauthorized>;
    /** Reads what the registry itself knows of an agent: with `key` what its owner may know; rejects as `get`. */
    facts: Query<OwnAgent, EntryFacts | Unauthorized, AgentContext>;
    /** Has the registry ask the host of the website of an agent again, for the owner; rejects as `update`. */
    checkConnections: Mutation<OwnAgent, EntryFacts>;
    /**
     * Registers an agent; rejects with a `RestError` of status 400, with the invalid fields, if it is refused.
     * @example await registry.agents.register.mutate(newAgent, { context: { idempotencyKey: crypto.randomUUID() } });
     */
    register: Mutation<NewAgentInput, Agent>;
    /**
     * Changes fields of an agent, or proposes that to the operator, as the status in `onStatus` says: 202; rejects with a `RestError` of status 401 for a wrong key and 412 if the agent has
     * changed since `ifMatch`.
     * @example await registry.agents.update.mutate({ id, name: 'New name' }, { context: { key, ifMatch } });
     */
    update: Mutation<OwnAgent & AgentPatch, Agent>;
    /** Withdraws an agent from all lists and returns it; rejects as `update`. */
    withdraw: Mutation<OwnAgent, Agent>;
    /** Takes back the changes that wait for review or were refused, and returns the listed agent; rejects as `update`. */
    takeBack: Mutation<OwnAgent, Agent>;
    /**
     * Replaces the management key of an agent; rejects as `update`.
     * @example await registry.agents.replaceKey.mutate({ id }, { context: { key, newKey: createManagementKey() } });
     */
    replaceKey: Mutation<OwnAgent, Agent>;
    /** Gets the text for the key in `newKey`, which the owner puts on the website to prove control of it. */
    challenge: Mutation<OwnAgent, WebsiteChallenge>;
    /** Has the registry fetch the website, and give the agent the key; rejects with a `RestError` of status 422 if the text is not there. */
    claim: Mutation<OwnAgent, Agent>;
    /** Reports a problem with an agent to the operator. */
    report: Mutation<NewReportInput, Report>;
  };
  /** The change log. */
  changes: {
    /** Reads what changed since a cursor; rejects with a `RestError` of status 410 if the cursor is outdated. */
    list: Query<ChangesRequest | undefined, Changes | Unauthorized>;
  };
  /**
   * Follows the change log: yields each page with changes, and waits for the next. It goes on after outages and exceeded
   * limits, and starts anew, with `isStart`, where the registry no longer knows the cursor.
   * @example
   * for await (const { changes, next, isStart } of registry.followChanges({ after: saved, include: 'agents' })) …
   */
  followChanges: (options?: FollowOptions) => AsyncGenerator<FollowedChanges, void, undefined>;
  /** Values for a registration. */
  prefill: {
    /** Reads descriptions on a website; rejects with a `RestError` of status 422 if there are none. */
    read: Mutation<PrefillRequest, Prefill>;
  };
  /** The headline figures. */
  stats: {
    /** Reads the headline figures. */
    get: Query<undefined, Stats | Unauthorized>;
  };
};

/**
 * Creates a client that calls the registry's REST paths. A call rejects with a `RestError`, or with the error of `fetch`.
 * @example
 * const registry = createClient({ url: 'https://registry.example' });
 * const agents = await registry.agents.search.query({ q: 'translate' });
 */
export function createClient<On401 extends 'throw' | 'null' = 'throw'>(
  options: ClientOptions<On401>,
): RegistryClient<On401 extends 'null' ? null : never> {
  const call = createRestCall(options);
  const client: Record<string, Record<string, object>> = {};
  const list = (input: ChangesRequest, callOptions?: CallOptions) =>
    call('changes.list', input, callOptions) as Promise<Changes>;
  for (const [name, { method }] of Object.entries<Endpoint>(endpoints)) {
    const [group = '', procedure = ''] = name.split('.');
    const send = (input: unknown, callOptions?: CallOptions) => call(name, input, callOptions);
    client[group] = { ...client[group], [procedure]: method === 'GET' ? { query: send } : { mutate: send } };
  }
  return { ...client, followChanges: (following = {}) => followChanges(list, following) } as RegistryClient<
    On401 extends 'null' ? null : never
  >;
}
