/**
 * How many reads a request that is no cache hit counts as, by its kind; 1 for other kinds. A read of `READ_LIMIT` stands
 * for 20 ms of processor. `npx -y pnpm@12 attacks` measures every kind on both engines.
 */
export const readCharges = {
  /** A page that is rendered. */
  page: 7,
  /** An Open Graph image that is rendered. */
  picture: 8,
  /** A message to the MCP server. */
  mcp: 3,
  /** A search of another registry. */
  ard: 3,
  /** A sitemap of up to 50,000 addresses. */
  sitemap: 12,
} as const;

/** A kind of read that counts as several. */
export type ReadKind = keyof typeof readCharges;

/** How many more reads a search, or facets or a feed of one, counts. */
export const READS_PER_SEARCH = 1;

/** How many more reads a search counts for each term that no agent uses: corrections cost as much on PostgreSQL. */
export const READS_PER_UNKNOWN_TERM = 4;

/** How many agents of a list or search count as one more read. */
export const AGENTS_PER_READ = 200;
