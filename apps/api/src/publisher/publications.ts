import { sql, type Kysely } from 'kysely';
import { chunksOf, readRecordsOf, writeRecords } from '../db/records.ts';
import type { FieldsOf } from '../db/record-kinds.ts';
import type { Tables } from '../db/tables.ts';
import { toBasis, writeDocuments, type BasisOf } from '../servers/server-documents.ts';

/** What the key of a domain published of an agent. */
export type Publication = FieldsOf<'publication'>;

/** The condition of the listed agents that a publisher or a source describes, and nobody with a management key. */
export const isGiven = sql<boolean>`agents.key_hash IS NULL AND (agents.website_checked_at IS NULL
  OR EXISTS (SELECT 1 FROM publications WHERE publications.agent_id = agents.id))`;

/** Reads what was published of agents, also of those that have a management key since. */
export async function readPublications(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, Publication>> {
  return new Map(
    (await readRecordsOf(db, 'publication', ids)).map((publication) => [publication.agentId, publication]),
  );
}

/** Reads what was published of listed agents whose owner is the publisher: without a management key. */
export async function readOwnPublications(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<Map<string, Publication>> {
  const published = await readPublications(db, ids);
  if (published.size === 0) return published;
  const agents = db
    .selectFrom('agents')
    .select('id')
    .where('id', 'in', [...published.keys()]);
  const own = new Set((await agents.where('key_hash', 'is', null).execute()).map(({ id }) => id));
  return new Map([...published].filter(([id]) => own.has(id)));
}

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
