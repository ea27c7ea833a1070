import type { Kysely } from 'kysely';
import type { Engine } from '../db/engine.ts';
import type { Tables } from '../db/tables.ts';
import { chunksOf, isUnclaimed } from '../db/records.ts';
import { findKey, hashName, nameAgents, readKey } from './server-names.ts';

/** An agent, and the name of its server in its source. */
export type WantedName = { agentId: string; name: string };

type NameRow = { number: number; hash: string; name: string | null; agent_id: string | null };

/** A name that an agent has already, or gets in place of one that was formed here or of another agent. */
type Grant = WantedName & { isNew: boolean; hash: string; former: NameRow | undefined; taken: NameRow | undefined };

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
    const rows = await readNames(db, chunk);
    const yielding = named ? await findYielding(db, rows, named) : new Set();
    for (const { agentId, name, hash } of chunk) {
      const former = rows.find((row) => row.agent_id === agentId);
      const taken = rows.find((row) => row.name === name);
      const isGone = rows.some((row) => row.hash === hash && row.name === null);
      const isNew = former?.name !== name;
      const isFree = taken ? yielding.has(taken.agent_id ?? '') : !isGone;
      if (!isNew || isFree) grants.push({ agentId, name, isNew, hash, former, taken });
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
  for (const chunk of chunksOf(wanted)) {
    await engine.db.transaction().execute(async (transaction) => {
      await engine.lockWrites(transaction);
      await readKey(transaction);
      const losers: string[] = [];
      for (const { agentId, name, isNew, hash, former, taken } of await planNames(transaction, chunk, named)) {
        if (!isNew) continue;
        // The hash stays, so that nobody else gets the former name.
        if (former) await setName(transaction, former.number, { name: null, agent_id: null });
        if (taken) await setName(transaction, taken.number, { agent_id: agentId });
        else await transaction.insertInto('server_names').values({ hash, name, agent_id: agentId }).execute();
        if (taken?.agent_id) losers.push(taken.agent_id);
      }
      const { serverNamespace } = engine;
      if (serverNamespace !== undefined) await nameAgents(transaction, serverNamespace, losers);
    });
  }
}

async function setName(
  transaction: Kysely<Tables>,
  number: number,
  values: { name?: null; agent_id: string | null },
): Promise<void> {
  await transaction.updateTable('server_names').set(values).where('number', '=', number).execute();
}

function readNames(db: Kysely<Tables>, wanted: readonly (WantedName & { hash: string })[]): Promise<NameRow[]> {
  return db
    .selectFrom('server_names')
    .selectAll()
    .where((where) =>
      where.or([
        where(
          'agent_id',
          'in',
          wanted.map(({ agentId }) => agentId),
        ),
        where(
          'hash',
          'in',
          wanted.map(({ hash }) => hash),
        ),
      ]),
    )
    .execute();
}

/** The agents with a name that nobody has claimed, whose texts come from a source whose names do not count. */
async function findYielding(
  db: Kysely<Tables>,
  rows: readonly NameRow[],
  named: readonly string[],
): Promise<ReadonlySet<string>> {
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
  return new Set(entries.flatMap(({ agent_id: id, source }) => (named.includes(source) ? [] : (id ?? []))));
}
