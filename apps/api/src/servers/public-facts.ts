import type { Agent, Offer } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { readOffers } from '../connection-checks/offers.ts';
import { isUnclaimed } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';

/** What the registry itself found out about an agent, for programs. Days are in UTC. */
export type PublicFacts = {
  /** What its owner was seen to control, and when. */
  proof?: Agent['websiteProof'];
  provedAt?: string;
  /** The day on which one of its connections answered last. */
  answeredOn?: string;
  /** How many tools its first server has that told them, and their hash. */
  tools?: Pick<Offer, 'count' | 'hash'>;
  /** From where it was imported, while nobody has claimed it. */
  source?: string;
};

/** Reads what is known of agents, by their ids. */
export async function readPublicFacts(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, PublicFacts>> {
  if (ids.length === 0) return new Map();
  const agents = await db
    .selectFrom('agents')
    .leftJoin('agent_sources', (join) =>
      join
        .onRef('agent_sources.agent_id', '=', 'agents.id')
        .on('is_origin', '=', 1)
        .on('gone_at', 'is', null)
        .on(isUnclaimed),
    )
    .leftJoin('connection_checks', (join) =>
      join.onRef('connection_checks.agent_id', '=', 'agents.id').on('result', '=', 'answered'),
    )
    .select(['agents.id', 'website_proof', 'website_checked_at', 'attribution'])
    .select((select) => select.fn.max('checked_at').as('answered_at'))
    .where('agents.id', 'in', ids)
    .groupBy(['agents.id', 'website_proof', 'website_checked_at', 'attribution'])
    .execute();
  const offers = await readOffers(db, ids);
  return new Map(
    agents.map(({ id, website_proof: proof, website_checked_at: provedAt, attribution, answered_at: answeredAt }) => {
      const own = offers.filter(({ agentId }) => agentId === id);
      const [last] = [answeredAt ?? '', ...own.map(({ readAt }) => readAt)].toSorted((a, b) => (a < b ? 1 : -1));
      const told = own.find(({ offer }) => offer.count !== undefined && !offer.isMore)?.offer;
      const facts: PublicFacts = {
        ...(provedAt !== null && { proof: proof ?? 'page', provedAt }),
        ...(last && { answeredOn: last.slice(0, 10) }),
        ...(told && { tools: { count: told.count, ...(told.hash !== undefined && { hash: told.hash }) } }),
        ...(attribution && { source: attribution }),
      };
      return [id, facts] as const;
    }),
  );
}
