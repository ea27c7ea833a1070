import type { Agent } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { AgentRow, Tables } from '../db/tables.ts';
import { toTokens } from '../search/agent-tokens.ts';

/** An agent as it is read from its row. */
export function toAgent(row: AgentRow): Agent {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    category: row.category as Agent['category'],
    capabilities: JSON.parse(row.capabilities) as string[],
    contactEmail: row.contact_email,
    website: row.website,
    pricingModel: row.pricing_model as Agent['pricingModel'],
    apiAccess: row.api_access as Agent['apiAccess'],
    rating: row.rating,
    reviewCount: row.review_count,
    createdAt: row.created_at,
  };
}

function toRow(agent: Agent): Omit<AgentRow, 'seq'> {
  return {
    id: agent.id,
    name: agent.name,
    description: agent.description,
    category: agent.category,
    capabilities: JSON.stringify(agent.capabilities),
    contact_email: agent.contactEmail,
    website: agent.website,
    pricing_model: agent.pricingModel,
    api_access: agent.apiAccess,
    rating: agent.rating,
    review_count: agent.reviewCount,
    created_at: agent.createdAt,
  };
}

/**
 * Writes agents in their order, with the index of their tokens, as part of a transaction; those whose id is taken are left
 * out. Gives the ids of those written.
 */
export async function writeAgents(
  engine: Engine,
  transaction: Kysely<Tables>,
  agents: readonly Agent[],
): Promise<Set<string>> {
  // Before the rows: a transaction on SQLite that begins with them keeps nobody waiting meanwhile.
  const indexed = agents.map((agent) => ({ id: agent.id, ...toTokens(agent) }));
  const rows = await writeRows(transaction, agents);
  const seqs = new Map(rows.map(({ id, seq }) => [id, seq]));
  const written = indexed.flatMap(({ id, ...found }) => {
    const seq = seqs.get(id);
    return seq !== undefined && seqs.delete(id) ? [{ seq, ...found }] : [];
  });
  if (written.length > 0) await engine.tokens.add(transaction, written);
  return new Set(rows.map(({ id }) => id));
}

/** Writes the rows of agents without the index, and gives their numbers; those whose id is taken are left out. */
export function writeRows(
  transaction: Kysely<Tables>,
  agents: readonly Agent[],
): Promise<Pick<AgentRow, 'id' | 'seq'>[]> {
  return transaction
    .insertInto('agents')
    .values(agents.map(toRow))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(['id', 'seq'])
    .execute();
}

/** Writes an agent that had a row before under the number that it had, and the index of its tokens. */
export async function writeAgentAgain(
  engine: Engine,
  transaction: Kysely<Tables>,
  { seq, agent }: { seq: number; agent: Agent },
): Promise<void> {
  const row = { seq, ...toRow(agent) };
  await sql`
    INSERT INTO agents (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    ${engine.withGivenRowNumber} VALUES (${sql.join(Object.values(row))})
  `.execute(transaction);
  await engine.tokens.add(transaction, [{ seq, ...toTokens(agent) }]);
}
