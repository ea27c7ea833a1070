import type { Offer } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { toWindows } from '../search/agent-tokens.ts';
import { analyze } from '../search/analyze.ts';

/** Most words of the tools of an agent by which it is found. */
const MAX_WORDS = 40;

/** The words of the names and titles of the tools of agents that everybody reads, with a blank between two. */
export async function readToolWords(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('connection_offers')
    .select(['agent_id', 'offer'])
    .where('agent_id', 'in', ids)
    .where((where) => where.or([where('review', 'is', null), where('review', '=', 'released')]))
    .orderBy('address')
    .execute();
  const byAgent = Map.groupBy(rows, (row) => row.agent_id);
  return new Map([...byAgent].map(([id, own]) => [id, listWords(own.map(({ offer }) => JSON.parse(offer) as Offer))]));
}

function listWords(offers: readonly Offer[]): string {
  const words = new Set<string>();
  for (const { name, title = '' } of offers.flatMap(({ tools = [] }) => tools)) {
    for (const { text, isRun, subwords } of analyze(`${name} ${title}`).flatMap(({ terms }) => terms)) {
      for (const word of isRun ? toWindows(text) : [text, ...subwords]) words.add(word);
    }
  }
  return [...words].slice(0, MAX_WORDS).join(' ');
}
