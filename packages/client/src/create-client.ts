import { endpoints, type Endpoint } from '@agent-registry/contracts';
import type { Changes, ChangesRequest, HistoryEntry } from './change-types.ts';
import { followChanges, type FollowedChanges, type FollowOptions } from './follow-changes.ts';
import {
  createRestCall,
  type AgentContext,
  type CallOptions,
  type ClientOptions,
  type QueryContext,
} from './rest-call.ts';
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
  PickedAgent,
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

/** A client of a registry: a function for each call. `Unauthorized` is the result of a query that gets a 401. */
export type RegistryClient<Unauthorized = never> = {
  /** Lists, finds, searches, registers and changes agents. */
  agents: {
    /** All agents. */
    list: {
      /** Reads all agents, newest first or in the given order: the whole list, or a page of it. */
      query: <Field extends keyof ListedAgent = keyof ListedAgent>(
        input?: AllAgentsRequest<Field>,
        options?: CallOptions<QueryContext>,
      ) => Promise<PickedAgent<Field>[] | Unauthorized>;
    };
    /** The agents of one category. */
    byCategory: {
      /** Reads the agents of a category, newest first or in the given order: the whole list, or a page of it. */
      query: <Field extends keyof ListedAgent = keyof ListedAgent>(
        input: CategoryRequest<Field>,
        options?: CallOptions<QueryContext>,
      ) => Promise<PickedAgent<Field>[] | Unauthorized>;
    };
    /** The agents that a text finds. */
    search: {
      /** Searches for agents by a text, best match first or in the given order. */
      query: <Field extends keyof ListedAgent = keyof ListedAgent>(
        input: SearchRequest<Field>,
        options?: CallOptions<QueryContext>,
      ) => Promise<PickedAgent<Field>[] | Unauthorized>;
    };
    /** What begins with a text. */
    suggest: {
      /** Suggests agents, capabilities and categories while people type; the text has at least two characters. */
      query: (input: SuggestRequest, options?: CallOptions<QueryContext>) => Promise<Suggestions | Unauthorized>;
    };
    /** The numbers of agents behind each value of a filter. */
    facets: {
      /** Counts how many agents of a list each value of a filter would leave. */
      query: (input?: FacetsRequest, options?: CallOptions<QueryContext>) => Promise<Facets | Unauthorized>;
    };
    /** One agent. */
    get: {
      /**
       * Reads an agent; rejects with a `RestError` of status 404 if no agent has the id, and 401 if `key` is not its
       * management key.
       */
      query: (
        input: {
          /** The id of the agent: a UUID. */
          id: string;
        },
        options?: CallOptions<AgentContext>,
      ) => Promise<Agent | Unauthorized>;
    };
    /** The changes of an agent. */
    history: {
      /** Reads the changes of an agent, latest first; rejects as `get`. */
      query: (input: OwnAgent, options?: CallOptions<QueryContext>) => Promise<HistoryEntry[] | Unauthorized>;
    };
    /** What the registry itself knows of an agent. */
    facts: {
      /** Reads what is known of an agent: with `key` what its owner may know; rejects as `get`. */
      query: (input: OwnAgent, options?: CallOptions<AgentContext>) => Promise<EntryFacts | Unauthorized>;
    };
    /** Whether the website of an agent answers. */
    checkWebsite: {
      /** Has the registry ask the host of the website again, for the owner; rejects as `update`. */
      mutate: (input: OwnAgent, options?: CallOptions) => Promise<EntryFacts>;
    };
    /** The registration of an agent. */
    register: {
      /**
       * Registers an agent; rejects with a `RestError` of status 400, with the invalid fields, if it is refused.
       * @example await registry.agents.register.mutate(newAgent, { context: { idempotencyKey: crypto.randomUUID() } });
       */
      mutate: (input: NewAgentInput, options?: CallOptions) => Promise<Agent>;
    };
    /** Changes of an agent by its owner. */
    update: {
      /**
       * Changes fields of an agent, or proposes that to the operator, as the status in `onStatus` says: 202; rejects with a `RestError` of status 401 for a wrong key and 412 if the agent has
       * changed since `ifMatch`.
       * @example await registry.agents.update.mutate({ id, name: 'New name' }, { context: { key, ifMatch } });
       */
      mutate: (input: OwnAgent & AgentPatch, options?: CallOptions) => Promise<Agent>;
    };
    /** The withdrawal of an agent by its owner. */
    withdraw: {
      /** Withdraws an agent from all lists and returns it; rejects as `update`. */
      mutate: (input: OwnAgent, options?: CallOptions) => Promise<Agent>;
    };
    /** Changes of an agent that wait for review. */
    takeBack: {
      /** Takes back the changes that wait for review or were refused, and returns the listed agent; rejects as `update`. */
      mutate: (input: OwnAgent, options?: CallOptions) => Promise<Agent>;
    };
    /** Another management key of an agent. */
    replaceKey: {
      /**
       * Replaces the management key of an agent; rejects as `update`.
       * @example await registry.agents.replaceKey.mutate({ id }, { context: { key, newKey: createManagementKey() } });
       */
      mutate: (input: OwnAgent, options?: CallOptions) => Promise<Agent>;
    };
    /** A text that proves control of the website of an agent. */
    challenge: {
      /** Gets the text for the key in `newKey`, which the owner puts on the website. */
      mutate: (input: OwnAgent, options?: CallOptions) => Promise<WebsiteChallenge>;
    };
    /** Another management key of an agent, by way of its website. */
    claim: {
      /** Lets the registry fetch the website; rejects with a `RestError` of status 422 if the text is not there. */
      mutate: (input: OwnAgent, options?: CallOptions) => Promise<Agent>;
    };
    /** A problem with an agent. */
    report: {
      /** Reports a problem with an agent to the operator. */
      mutate: (input: NewReportInput, options?: CallOptions) => Promise<Report>;
    };
  };
  /** The change log. */
  changes: {
    /** What changed. */
    list: {
      /** Reads what changed since a cursor; rejects with a `RestError` of status 410 if the cursor is outdated. */
      query: (input?: ChangesRequest, options?: CallOptions<QueryContext>) => Promise<Changes | Unauthorized>;
    };
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
    /** Values for a registration from a website. */
    read: {
      /** Reads descriptions on a website; rejects with a `RestError` of status 422 if there are none. */
      mutate: (
        input: {
          /** The address of the website or of an agent card. */
          url: string;
        },
        options?: CallOptions,
      ) => Promise<Prefill>;
    };
  };
  /** The headline figures. */
  stats: {
    /** The headline figures. */
    get: {
      /** Reads the headline figures. */
      query: (input?: undefined, options?: CallOptions<QueryContext>) => Promise<Stats | Unauthorized>;
    };
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
