import { sql, type Kysely } from 'kysely';
import { chunksOf, toRecord, writeRecords } from '../db/records.ts';
import type { FieldsOf } from '../db/record-kinds.ts';
import type { Tables } from '../db/tables.ts';
import { toBasis, writeDocuments, type BasisOf } from './server-documents.ts';

/** What the key of a domain published of an agent. */
export type Publication = FieldsOf<'publication'>;

/** The condition of the listed agents that a publisher or a source describes, and nobody with a management key. */
export const isGiven = sql<boolean>`agents.key_hash IS NULL AND (agents.website_checked_at IS NULL
  OR EXISTS (SELECT 1 FROM publications WHERE publications.agent_id = agents.id))`;

/** The condition of what was published of listed agents whose owner is the publisher: without a management key. */
export const isOfPublisher = sql<boolean>`EXISTS
  (SELECT 1 FROM agents WHERE agents.id = publications.agent_id AND agents.key_hash IS NULL)`;

/** Reads what was published of agents, by default also of those that have a management key since. */
export async function readPublications(db: Kysely<Tables>, ids: readonly string[], condition = sql<boolean>`TRUE`) {
  const found = new Map<string, Publication>();
  for (const chunk of chunksOf(ids)) {
    const query = db.selectFrom('publications').selectAll().where('agent_id', 'in', chunk).where(condition);
    for (const row of await query.execute()) found.set(row.agent_id, toRecord('publication', row));
  }
  return found;
}

/** Which servers were published here, of these names in lower case. */
export async function findPublishedNames(db: Kysely<Tables>, names: readonly string[]): Promise<Set<string>> {
  const published = new Set<string>();
  for (const chunk of chunksOf(names)) {
    const lower = sql<string>`lower(name)`;
    const rows = await db.selectFrom('publications').select(lower.as('name')).where(lower, 'in', chunk).execute();
    for (const { name } of rows) published.add(name);
  }
  return published;
}

/** Describes servers as they were published once their agents are listed so. */
export async function describePublished(
  transaction: Kysely<Tables>,
  agents: readonly (BasisOf & { id: string })[],
  publications: ReadonlyMap<string, Publication>,
): Promise<void> {
  for (const agent of agents) {
    const { pending, ...publication } = publications.get(agent.id) ?? {};
    if (!pending || pending.basis !== toBasis(agent)) continue;
    const { agentId, name } = publication as Publication;
    const { publishedAt } = pending;
    const document = { ...pending, agentId, name, isLatest: true, keptAt: publishedAt, updatedAt: publishedAt };
    await writeDocuments(transaction, [document]);
    await writeRecords(transaction, 'publication', [publication as Publication]);
  }
}
