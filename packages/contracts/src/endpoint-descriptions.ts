import type { EndpointName } from './endpoints.ts';
import { formatCount } from './format.ts';
import {
  CORRECTION_HEADER,
  FULL_MATCHES_HEADER,
  MATCHED_WORDS_HEADER,
  POSITION_HEADER,
  TOTAL_BOUND_HEADER,
  TOTAL_HEADER,
  UNDERSTOOD_HEADER,
} from './list.ts';
import { MANAGEMENT_KEY_HEADER } from './manage.ts';
import { HELD_STATUS, REFUSAL_HEADER } from './registration-mode.ts';
import { MAX_PAGE_SIZE, MAX_SEARCH_RESULTS } from './request-limits.ts';

const PAGES =
  'The whole list, unless a page of it is asked for with limit, after or before. A page ends early at 2 MiB: only without a next page in Link it is the last.';

/** The rest of the row of a call: what the server and documents need. */
export type EndpointDescription = {
  summary: string;
  description: string;
  response: string;
  status?: 201;
  /** Another status of a successful response with the same body. */
  otherStatus?: typeof HELD_STATUS;
  /** Client error statuses, in addition to those of every call; with 412 it takes `If-Match`. */
  errors?: readonly (401 | 403 | 404 | 410 | 412 | 413 | 415 | 422)[];
  /** The rate limit; by default `read` for GET, `edit` for other methods. */
  limit?: 'register' | 'report' | 'prefill';
  /** Whether a read with a management key is the owner's, which no cache keeps. */
  isForOwners?: true;
  isForPrograms?: true;
  /** The headers of its response, besides those of every read or change. */
  headers?: readonly string[];
  /** Whether it takes the management key that the agent gets. */
  newKey?: 'optional' | 'required';
  isRetried?: true;
  /** The component that describes its body: the fields have the texts of a response; null stands for the default in a patch. */
  body?: { name: string; description: string; like: string; isPatch?: true };
  /** The name of its input in the typed client, if it has one, and an example. */
  input?: string;
  example?: string;
};

const PAGE_HEADERS = ['Link', TOTAL_HEADER, POSITION_HEADER];

/** The rows of all calls. Not in the endpoint table, which browsers load. */
export const endpointDescriptions: Record<EndpointName, EndpointDescription> = {
  'agents.list': {
    summary: 'All agents, newest first or in the given order; a page of them when limit is given',
    description: PAGES,
    response: 'The agents',
    headers: PAGE_HEADERS,
    input: 'AllAgentsRequest',
  },
  'agents.byCategory': {
    summary: 'The agents of one category, newest first or in the given order; a page of them when limit is given',
    description: PAGES,
    response: 'The agents of the category',
    headers: PAGE_HEADERS,
    input: 'CategoryRequest',
  },
  'agents.search': {
    summary: 'The agents that a text finds, best match first or in the given order',
    description: `At most ${formatCount(MAX_SEARCH_RESULTS)} agents, or a page of up to ${MAX_PAGE_SIZE} and 2 MiB. The last word may be a prefix; case and accents do not matter. If few agents match, typing errors are corrected.`,
    response: 'The agents that match',
    headers: [
      ...PAGE_HEADERS,
      TOTAL_BOUND_HEADER,
      FULL_MATCHES_HEADER,
      CORRECTION_HEADER,
      UNDERSTOOD_HEADER,
      MATCHED_WORDS_HEADER,
    ],
    input: 'SearchRequest',
  },
  'agents.suggest': {
    summary: 'Agents, capabilities and categories that begin with a text',
    description:
      'For search boxes, while people type. Up to five agents with a word in their names at which the text begins, up to three capabilities, and categories. Case, accents, blanks and punctuation do not matter.',
    response: 'The suggestions',
    isForPrograms: true,
    input: 'SuggestRequest',
  },
  'agents.facets': {
    summary: 'How many agents of a list each value of a filter would leave',
    description:
      'Each filter is counted with the other one applied, but without its own values. A category wins over a text.',
    response: 'The counts',
    input: 'FacetsRequest',
  },
  'agents.get': {
    summary: 'One agent',
    otherStatus: HELD_STATUS,
    errors: [401, 404, 410],
    description:
      'Counts as a view of the agent, except for crawlers. With the management key in Authorization it tells the owner whether the key is right, is no view, and finds an agent or a change that waits for review, too: then the status is 202. X-Refusal-Reason says why the operator refused it, if so.',
    response: 'The agent',
    isForOwners: true,
    headers: [REFUSAL_HEADER],
  },
  'agents.register': {
    summary: 'Register an agent',
    status: 201,
    otherStatus: HELD_STATUS,
    errors: [413, 415, 422],
    description:
      'The agent is listed at once, or waits for the operator to release it: then the status is 202. The response is sent after the agent has been written to disk. Unknown fields, and fields that the registry sets, are refused.',
    response: 'The registered agent',
    limit: 'register',
    headers: ['Location'],
    newKey: 'optional',
    isRetried: true,
    body: {
      name: 'NewAgent',
      description: 'A registration. Texts are trimmed before their length is checked.',
      like: 'Agent',
    },
    input: 'NewAgentInput',
    example: 'await registry.agents.register.mutate(newAgent, { context: { idempotencyKey: crypto.randomUUID() } });',
  },
  'agents.update': {
    summary: 'Change an agent',
    otherStatus: HELD_STATUS,
    errors: [401, 404, 410, 412, 413, 415],
    description:
      'Changes the fields in the body (JSON Merge Patch, RFC 7396); null stands for the default. They must be valid as in a registration; the other fields stay as they are, and an empty body changes nothing. With If-Match, two clients do not overwrite each other. Where the operator reviews changes, the change of a listed agent waits: then the status is 202, and the response has the proposed version. A further change is added to it.',
    response: 'The changed agent',
    body: {
      name: 'AgentPatch',
      description: 'The fields that change; null stands for the default.',
      like: 'Agent',
      isPatch: true,
    },
    input: 'AgentUpdate',
    example: "await registry.agents.update.mutate({ id, name: 'New name' }, { context: { key, ifMatch } });",
  },
  'agents.withdraw': {
    summary: 'Withdraw an agent',
    errors: [401, 404, 410, 412, 413, 415],
    description: 'Removes the agent from all lists, searches and counts. Reads of it get a 410.',
    response: 'The withdrawn agent',
  },
  'agents.takeBack': {
    summary: 'Take back a change that waits for review',
    otherStatus: HELD_STATUS,
    errors: [401, 404, 410, 412, 413, 415],
    description:
      'Forgets the change that waits for review, or was refused. Without one nothing changes. An agent that is not listed yet goes on waiting: then the status is 202.',
    response: 'The agent as it is listed',
  },
  'agents.replaceKey': {
    summary: 'Replace the management key of an agent',
    errors: [401, 404, 410, 412, 413, 415],
    description: `Replaces the management key by the one in ${MANAGEMENT_KEY_HEADER}. The old key is refused from then on.`,
    response: 'The agent',
    newKey: 'required',
    example: 'await registry.agents.replaceKey.mutate({ id }, { context: { key, newKey: createManagementKey() } });',
  },
  'agents.challenge': {
    summary: 'Get a text that proves control of the website of an agent',
    errors: [403, 404, 410, 413, 415, 422],
    description: `For owners who lost their key or never had one. Put the text at /.well-known/agent-registry.txt of the website's host, or as <meta name="agent-registry" content="…"> in the head of the listed page. For a repository on GitHub, GitLab, Codeberg or Hugging Face put it into the file .agent-registry in its root. It holds for the key in ${MANAGEMENT_KEY_HEADER} only.`,
    response: 'The text',
    newKey: 'required',
  },
  'agents.claim': {
    summary: 'Give an agent another management key by way of its website',
    errors: [403, 404, 410, 413, 415, 422],
    description: `The registry fetches the website once, over https, without following redirects to other hosts; for a repository it follows none. If the text is there, the key in ${MANAGEMENT_KEY_HEADER} replaces the earlier key. A client may ask for five checks of an agent a day, and for 20 of a host an hour. The current key in Authorization, if there is one, keeps a place free while others have the host checked. With a body the key of the host counts, or of the domain that published the entry: its signature of four lines, agent-registry claim v1, the origin of the registry, the id and the challenge.`,
    response: 'The agent',
    newKey: 'required',
    body: {
      name: 'KeyClaim',
      description: 'A claim by the key of a domain, in place of a challenge on the website.',
      like: 'WebsiteChallenge',
    },
  },
  'agents.report': {
    summary: 'Report a problem with an agent to the operator',
    status: 201,
    errors: [404, 410, 413, 415],
    description:
      'Only the operator reads it, and it changes nothing by itself. A client may send three a day for an agent.',
    response: 'The report',
    limit: 'report',
    body: {
      name: 'NewReport',
      description: 'A problem with an agent, for the operator. A blank text is none.',
      like: 'Report',
    },
    input: 'NewReportInput',
  },
  'agents.history': {
    summary: 'The changes of an agent, latest first',
    errors: [404, 410],
    description:
      'Former and new values of the name, the category, the pricing, the API access and the website; of other fields only that they changed. Changes of 400 days ago and before are forgotten, and those before the latest 200. At most 2 MiB, the latest.',
    response: 'The changes',
    isForPrograms: true,
  },
  'agents.facts': {
    summary: 'What the registry itself knows of an entry',
    errors: [401, 404, 410],
    description:
      'The facts are renewed once an hour and do not change the version of the agent. With the management key in Authorization they are those of now, with the views of each day.',
    response: 'The facts',
    isForOwners: true,
    isForPrograms: true,
  },
  'agents.checkConnections': {
    summary: 'Check the connections of an agent again',
    errors: [401, 403, 404, 410, 413, 415, 422],
    description:
      'For the owner, five times a day. Checked are connections on a website that the owner controls, as its robots.txt allows.',
    response: 'The facts',
  },
  'changes.list': {
    summary: 'What changed since a cursor, each agent at most once',
    errors: [410],
    description:
      'A page with agents ends early, at 200 changes or 2 MiB: only hasMore ends a walk. Without after it starts at the first change: a reader who applies every page and goes on from next has the same agents as the list. A cursor of another log, as after a restore, or an outdated one is a 410: start anew then.',
    response: 'The changes, and the cursor to go on with',
    isForPrograms: true,
    input: 'ChangesRequest',
  },
  'prefill.read': {
    summary: 'Values for a registration, from the address of a website or an agent card',
    errors: [403, 413, 415, 422],
    description:
      'The registry reads the page and the A2A agent card, ARD manifest and MCP server card of its host: at most five requests over https, redirects within the host included and to no other host, 5 seconds in all. Nothing is stored. A client may ask ten times a minute, and 30 times a day for a host.',
    response: 'The values',
    limit: 'prefill',
    body: { name: 'PrefillRequest', description: 'Where to read a description of an agent.', like: 'Prefill' },
  },
  'stats.get': {
    summary: 'The headline figures, and how many agents are in each category',
    description: 'Views are counted with a delay of some seconds.',
    response: 'The figures',
  },
};
