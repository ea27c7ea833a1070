import { MAX_SEARCH_RESULTS } from '@agent-registry/contracts';
import type { TokenQuery, TokenReader } from './token-index.ts';

/** A query with the number of its agents, and the latest of them (seqs), latest first. */
export type Found = { query: TokenQuery; total: number; seqs: readonly number[] };

/** Counts the agents that a query finds, and reads the latest `MAX_SEARCH_RESULTS` of them. */
export async function find(index: TokenReader, query: TokenQuery): Promise<Found> {
  return { query, ...(await index.find(query, MAX_SEARCH_RESULTS)) };
}

/** Whether the seqs are those of all agents. */
export function isComplete({ total, seqs }: Found): boolean {
  return total === seqs.length;
}
