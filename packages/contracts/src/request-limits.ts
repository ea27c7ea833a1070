/** Most agents in one page of a list, and in one page of the change log with agents. */
export const MAX_PAGE_SIZE = 200;
/** Most bytes of a page, after which it ends early. */
export const MAX_PAGE_BYTES = 2 * 2 ** 20;
/** Cards on a page of the site at first, and added by each press of Load More Agents. */
export const CARDS_PER_PAGE = 12;
/** Most changes in one page of the change log without agents. */
export const MAX_CHANGES = 1_000;
/** Most agents in a full list that the web app holds in memory. */
export const MAX_FULL_LIST = 2_000;
/** Longest search text of which every word counts, in code points: of a longer one, its telling words. */
export const MAX_SEARCH_LENGTH = 200;
/** Longest search text of a request, in code points, and in bytes as it stands in an address. */
export const MAX_QUERY_LENGTH = 1_000;
export const MAX_QUERY_BYTES = 6_000;
/** Longest text, in code points, of which the page makes a search for its most telling words. */
export const MAX_PASTE_LENGTH = 2_000;
export const MIN_SUGGEST_LENGTH = 2;
export const MAX_SEARCH_RESULTS = 1_000;
export const MAX_COUNTED_RESULTS = 10_000;
/** The request header that makes a retried registration register once. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
/** How long an idempotency key is kept, in milliseconds. */
export const IDEMPOTENCY_KEY_LIFETIME = 86_400_000;
// Messages without their full stops.
export const AGENT_WITHDRAWN = 'This agent was withdrawn';
export const WRONG_KEY = 'The management key is missing or wrong. Send it as Authorization: Bearer <key>';
export const NO_PREFILL = 'This registry does not fetch websites. Fill in the fields yourself';
export const NO_WEBSITE_CHECKS = 'This registry does not check websites. Ask its operator for another key';
export const MERGE_PATCH_MEDIA_TYPE = 'application/merge-patch+json';
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
