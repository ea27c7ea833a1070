import { sql, type Kysely } from 'kysely';
import { logChange } from '../changes/change-log.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import { chunksOf, isUnclaimed } from '../db/records.ts';
import { assignNames, findKey, hashName, readKey, type WantedName } from './name-rows.ts';
import { nameAgents } from './server-names.ts';

/**
 * Finds which agents can have the names of their sources: those that have them already, or get them, in place of another
 * agent if that has one.
 * @param named the sources whose names count: they take names from entries of others; undefined for one of the others
 */
export async function planNames(
  db: Kysely<Tables>,
  wanted: readonly WantedName[],
  named: readonly string[] | undefined,
) {
  const grants: (WantedName & { isNew: boolean; hash: string; loser: string | null | undefined })[] = [];
  // Without a key there is no name yet.
  const key = (await findKey(db)) ?? '';
  // Agents that nobody has claimed, whose texts come from a source whose names do not count, lose theirs.
  const yields = named
    ? sql<boolean>`EXISTS (
        SELECT 1 FROM agent_sources LEFT JOIN agents ON agents.id = agent_sources.agent_id
        WHERE agent_sources.agent_id = server_names.agent_id AND is_origin = 1 AND source NOT IN (${sql.join(named)})
          AND ${isUnclaimed}
      )`
    : sql<boolean>`FALSE`;
  for (const chunk of chunksOf(wanted.map((each) => ({ ...each, hash: hashName(key, each.name) })))) {
    const hashes = chunk.map(({ hash }) => hash);
    const names = db.selectFrom('server_names').selectAll().select(yields.as('yields'));
    const rows = await names.where('hash', 'in', hashes).execute();
    const byHash = new Map(rows.map((row) => [row.hash, row]));
    const seen = new Set<string>();
    for (const { agentId, name, hash } of chunk) {
      const row = byHash.get(hash);
      const isPresent = row?.given_up_at === null;
      const isOwn = row?.agent_id === agentId;
      const loser = isPresent && !isOwn ? row.agent_id : undefined;
      const isFree = !row || isOwn || (row.name !== null && (!isPresent || row.yields));
      // Entries whose names differ in letter case alone have one.
      if (isFree && !seen.has(hash)) grants.push({ agentId, name, isNew: !(isOwn && isPresent), hash, loser });
      seen.add(hash);
    }
  }
  return grants;
}

/** Gives agents the names of their sources, also before they are listed. An agent that loses its name gets one that is formed here. */
export async function giveNames(
  engine: Engine,
  wanted: readonly WantedName[],
  named: readonly string[] | undefined,
): Promise<void> {
  const { db, serverNamespace } = engine;
  for (const chunk of chunksOf(wanted)) {
    await db.transaction().execute(async (transaction) => {
      await engine.lockWrites(transaction);
      await readKey(transaction);
      const grants = (await planNames(transaction, chunk, named)).filter(({ isNew }) => isNew);
      await assignNames(transaction, grants);
      const losers = grants.flatMap(({ loser }) => loser ?? []);
      if (serverNamespace === undefined) return;
      const renamed = await nameAgents(transaction, serverNamespace, losers);
      await logChange(transaction, { kind: 'updated', actor: 'import' }, renamed);
    });
  }
}
