import { addressOf, type Agent, type Connection, type NamedEntry } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';

type Connected = { connections?: readonly Connection[] | null | undefined };

/** Most entries that are named beside another one. */
export const MAX_BESIDES = 5;

/** Finds listed entries before an agent that have a connection of it, and were imported or have a proof of their website. */
export async function findSharing(
  db: Kysely<Tables>,
  agent: Pick<Agent, 'id' | 'createdAt'> & Connected,
): Promise<NamedEntry[]> {
  const keys = toConnectionKeys(agent);
  if (keys.length === 0) return [];
  const isImported = sql<boolean>`EXISTS (SELECT 1 FROM agent_sources WHERE agent_id = agents.id)`;
  const found = await db
    .selectFrom('agents')
    .select(['id', 'name'])
    .where('seq', 'in', (select) =>
      select.selectFrom('text_keys').select('seq').where('kind', '=', 'connection').where('key', 'in', keys),
    )
    .where(sql<boolean>`(created_at, id) < (${agent.createdAt}, ${agent.id})`)
    .where((where) => where.or([where('website_checked_at', 'is not', null), isImported]))
    .orderBy('seq')
    .limit(MAX_BESIDES)
    .execute();
  return found.map((entry) => ({ ...entry, shares: 'connection' }));
}

export function toConnectionKeys({ connections }: Connected): string[] {
  return [...new Set(connections?.map(toKey))];
}

/** A connection without the version of its package. */
function toKey(connection: Connection): string {
  const address = addressOf(connection);
  if (connection.kind !== 'mcp-package') return `${connection.kind} ${address}`;
  if (connection.registry !== 'oci') return `${connection.registry} ${address}`;
  const [image = ''] = address.split('@', 1);
  const tag = image.lastIndexOf(':');
  return `oci ${tag > image.lastIndexOf('/') ? image.slice(0, tag) : image}`;
}
