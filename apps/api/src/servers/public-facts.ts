import type { Agent, Offer } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
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
    .select(['agents.id', 'website_proof', 'website_checked_at', 'attribution'])
    .where('agents.id', 'in', ids)
    .execute();
  const checks = await db
    .selectFrom('connection_checks')
    .select(['agent_id', 'checked_at'])
    .where('agent_id', 'in', ids)
    .where('result', '=', 'answered')
    .execute();
  const offers = await db
    .selectFrom('connection_offers')
    .select(['agent_id', 'read_at', 'offer'])
    .where('agent_id', 'in', ids)
    .orderBy('address')
    .execute();
  const answered = [...checks, ...offers.map(({ agent_id, read_at: checked_at }) => ({ agent_id, checked_at }))];
  const times = Map.groupBy(answered, (row) => row.agent_id);
  const read = Map.groupBy(offers, (row) => row.agent_id);
  return new Map(
    agents.map(({ id, website_proof: proof, website_checked_at: provedAt, attribution }) => {
      const [last] = (times.get(id) ?? []).map((row) => row.checked_at ?? '').toSorted((a, b) => (a < b ? 1 : -1));
      const [tools] = (read.get(id) ?? []).flatMap((row) => {
        const { count, hash, isMore } = JSON.parse(row.offer) as Offer;
        return count === undefined || isMore ? [] : [{ count, ...(hash !== undefined && { hash }) }];
      });
      const facts: PublicFacts = {
        ...(provedAt !== null && { proof: proof ?? 'page', provedAt }),
        ...(last && { answeredOn: last.slice(0, 10) }),
        ...(tools && { tools }),
        ...(attribution && { source: attribution }),
      };
      return [id, facts] as const;
    }),
  );
}
