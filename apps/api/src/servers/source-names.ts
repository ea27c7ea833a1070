import type { Kysely, Selectable } from 'kysely';
import { logChange } from '../changes/change-log.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import { chunksOf, isUnclaimed } from '../db/records.ts';
import { assignNames, findKey, hashName, readKey } from './name-rows.ts';
import { nameAgents } from './server-names.ts';

/** An agent, and the name of its server in its source. */
export type WantedName = { agentId: string; name: string };

type NameRow = Selectable<Tables['server_names']>;

/** A name that an agent has already, or gets, in place of another agent if that has it. */
type Grant = WantedName & { isNew: boolean; hash: string; loser: string | null | undefined };

/**
 * Finds which agents can have the names of their sources.
 * @param named the sources whose names count: they take names from entries of others; undefined for one of the others
 */
export async function planNames(
  db: Kysely<Tables>,
  wanted: readonly WantedName[],
  named: readonly string[] | undefined,
): Promise<Grant[]> {
  const grants: Grant[] = [];
  // Without a key there is no name yet.
  const key = (await findKey(db)) ?? '';
  for (const chunk of chunksOf(wanted.map((each) => ({ ...each, hash: hashName(key, each.name) })))) {
    const hashes = chunk.map(({ hash }) => hash);
    const rows = await db.selectFrom('server_names').selectAll().where('hash', 'in', hashes).execute();
    const byHash = new Map(rows.map((row) => [row.hash, row]));
    const yielding = named ? await findYielding(db, rows, named) : new Set();
    const seen = new Set<string>();
    for (const { agentId, name, hash } of chunk) {
      const row = byHash.get(hash);
      const isPresent = row?.given_up_at === null;
      const isOwn = row?.agent_id === agentId;
      const loser = isPresent && !isOwn ? row.agent_id : undefined;
      const isFree = !row || isOwn || (row.name !== null && (!isPresent || yielding.has(row.agent_id)));
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
      await assignNames(
        transaction,
        grants.map(({ agentId, name, hash }) => ({ agentId, name, hash, isChosen: false })),
      );
      const losers = grants.flatMap(({ loser }) => loser ?? []);
      if (serverNamespace === undefined) return;
      const renamed = await nameAgents(transaction, serverNamespace, losers);
      await logChange(transaction, { kind: 'updated', actor: 'import' }, renamed);
    });
  }
}

/** The agents with a name that nobody has claimed, whose texts come from a source whose names do not count. */
async function findYielding(
  db: Kysely<Tables>,
  rows: readonly NameRow[],
  named: readonly string[],
): Promise<ReadonlySet<string | null>> {
  const ids = rows.flatMap(({ agent_id: id }) => id ?? []);
  if (ids.length === 0) return new Set();
  const entries = await db
    .selectFrom('agent_sources')
    .leftJoin('agents', 'agents.id', 'agent_sources.agent_id')
    .select(['agent_id', 'source'])
    .where('agent_id', 'in', ids)
    .where('is_origin', '=', 1)
    .where(isUnclaimed)
    .execute();
  return new Set(entries.flatMap(({ agent_id: id, source }) => (named.includes(source) ? [] : id)));
}
