import type { EndpointName } from './endpoints.ts';
import { formatCount } from './format-count.ts';
import { MANAGEMENT_KEY_HEADER } from './management-key.ts';
import { MAX_PAGE_SIZE, MAX_SEARCH_RESULTS } from './request-limits.ts';

const PAGES =
  'The whole list, unless a page of it is asked for with limit, after or before. Link has the paths of the next and the previous page.';

/**
 * What a call does and what a successful response holds, for the OpenAPI document. Not in the endpoint table, which
 * browsers load.
 */
export const endpointDescriptions: Record<EndpointName, { description: string; response: string }> = {
  'agents.list': { description: PAGES, response: 'The agents' },
  'agents.byCategory': { description: PAGES, response: 'The agents of the category' },
  'agents.search': {
    description: `At most ${formatCount(MAX_SEARCH_RESULTS)} agents, or a page of up to ${MAX_PAGE_SIZE}. The last word may be a prefix; case and accents do not matter. If few agents match, typing errors are corrected.`,
    response: 'The agents that match',
  },
  'agents.facets': {
    description:
      'Each filter is counted with the other one applied, but without its own values. A category wins over a text.',
    response: 'The counts',
  },
  'agents.get': { description: 'Counts as a view of the agent, except for crawlers.', response: 'The agent' },
  'agents.register': {
    description:
      'The agent is listed at once, or waits for the operator to release it: then the status is 202. The response is sent after the agent has been written to disk. Unknown fields, and fields that the registry sets, are refused.',
    response: 'The registered agent',
  },
  'agents.update': {
    description:
      'Changes the fields in the body (JSON Merge Patch, RFC 7396); null stands for the default. They must be valid as in a registration; the other fields stay as they are. With If-Match, two clients do not overwrite each other.',
    response: 'The changed agent',
  },
  'agents.withdraw': {
    description: 'Removes the agent from all lists, searches and counts. Reads of it get a 410.',
    response: 'The withdrawn agent',
  },
  'agents.replaceKey': {
    description: `Replaces the management key by the one in ${MANAGEMENT_KEY_HEADER}. The old key is refused from then on.`,
    response: 'The agent',
  },
  'agents.challenge': {
    description: `For owners who lost their key or never had one. Put the text at /.well-known/agent-registry.txt of the website's host, or as <meta name="agent-registry" content="…"> in the head of the listed page. It holds for the key in ${MANAGEMENT_KEY_HEADER} only.`,
    response: 'The text',
  },
  'agents.claim': {
    description: `The registry fetches the website once, over https, without following redirects to other hosts. If the text is there, the key in ${MANAGEMENT_KEY_HEADER} replaces the earlier key. A client may ask for five checks of an agent a day, and for 20 of a host an hour. The current key in Authorization, if there is one, keeps a place free while others have the host checked.`,
    response: 'The agent',
  },
  'agents.report': {
    description:
      'Only the operator reads it, and it changes nothing by itself. A client may send three a day for an agent.',
    response: 'The report',
  },
  'agents.history': {
    description:
      'Former and new values of the name, the category, the pricing, the API access and the website; of other fields only that they changed. Changes of 400 days ago and before are forgotten, and those before the latest 200.',
    response: 'The changes',
  },
  'changes.list': {
    description:
      'Without after it starts at the first change: a reader who applies every page and goes on from next has the same agents as the list. A cursor of another log, as after a restore, or an outdated one is a 410: start anew then.',
    response: 'The changes, and the cursor to go on with',
  },
  'stats.get': { description: 'Views are counted with a delay of some seconds.', response: 'The figures' },
};
