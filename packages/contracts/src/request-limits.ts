/** Most agents in one page of a list. */
export const MAX_PAGE_SIZE = 200;
/** Longest text of a search, in characters. */
export const MAX_SEARCH_LENGTH = 200;
/** Most agents that a search gives at once. */
export const MAX_SEARCH_RESULTS = 1_000;
/** The header of a page that says how many agents the whole list has. */
export const TOTAL_HEADER = 'X-Total-Count';
/** The header of an answer to a search that says, percent-encoded, how the search reads with the corrections that led to some results. */
export const CORRECTION_HEADER = 'X-Corrected-Query';
/** The header of a registration by which it is known when it is sent again. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
/** For how long a registration that is sent again is known, in milliseconds. */
export const IDEMPOTENCY_KEY_LIFETIME = 86_400_000;
