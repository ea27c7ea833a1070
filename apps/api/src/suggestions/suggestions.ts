import { sql, type Kysely } from 'kysely';
import { isSuggestible, type Suggestions } from '@agent-registry/contracts';
import type { Tables } from '../db/tables.ts';
import { toConnectionKeys, toKey, toRange, toStarts } from '../agents/text-keys.ts';
import { chunksOf } from '../db/records.ts';
import type { Listener, StoredAgent } from '../agents/agent-rows.ts';
import { toFirstDay } from '../stats/view-store.ts';

/** Writes the names, capabilities and connections of listed agents. Those of removed agents are deleted with their rows. */
export const writeSuggestions: Listener = async (transaction, event) => {
  const isEdited = event.type === 'updated' && event.before !== undefined;
  if (isEdited) {
    const seqs = event.agents.map(({ seq }) => seq);
    await transaction.deleteFrom('text_keys').where('seq', 'in', seqs).execute();
  }
  if (isEdited || event.type === 'listed') await addSuggestions(transaction, event.agents);
};

const MAX_AGENTS = 5;
const MAX_CAPABILITIES = 3;
/** Most starts of names, and most capabilities, that are put in order, so that a flood of them takes no longer. */
const MAX_STARTS = 200;
/** Up to so many agents are counted for the order of capabilities. */
const MAX_COUNTED = 50;

export async function findSuggestions(db: Kysely<Tables>, text: string, now: number) {
  const key = toKey(text, 1);
  if (!isSuggestible(key)) return { agents: [], capabilities: [] };
  const [agents, capabilities] = await Promise.all([findAgents(db, key, now), findCapabilities(db, key)]);
  return { agents, capabilities };
}

/** The agents whose names begin with a key, then those with a later word that does. */
async function findAgents(db: Kysely<Tables>, key: string, now: number): Promise<Suggestions['agents']> {
  const first = await readStarts(db, { key, kind: 'name', now });
  const inner = first.length < MAX_AGENTS ? await readStarts(db, { key, kind: 'inner', now }) : [];
  const agents = new Map([...first, ...inner].map((agent) => [agent.id, agent]));
  return [...agents.values()].slice(0, MAX_AGENTS);
}

/**
 * The agents with a start of their names: the whole start first, then agents whose websites were checked, then those with
 * more views of a month, then older ones.
 */
function readStarts(db: Kysely<Tables>, { key, kind, now }: { key: string; kind: 'name' | 'inner'; now: number }) {
  const { from, to } = toRange(key);
  return db
    .selectFrom((select) =>
      select
        .selectFrom('text_keys')
        .select(['key', 'seq'])
        .where('kind', '=', kind)
        .where('key', '>=', from)
        .where('key', '<', to)
        .orderBy('key')
        .orderBy('seq')
        .limit(MAX_STARTS)
        .as('starts'),
    )
    .innerJoin('agents', 'agents.seq', 'starts.seq')
    .select(['agents.id', 'agents.name', 'agents.category'])
    .orderBy(sql`CASE WHEN starts.key = ${key} THEN 0 WHEN website_checked_at IS NOT NULL THEN 1 ELSE 2 END`)
    .orderBy(
      (select) =>
        select
          .selectFrom('agent_views')
          .select((views) => views.fn.coalesce(views.fn.sum<number>('views'), sql.lit(0)).as('views'))
          .whereRef('agent_id', '=', 'agents.id')
          .where('day', '>=', toFirstDay(now)),
      'desc',
    )
    .orderBy('agents.seq')
    .limit(2 * MAX_AGENTS)
    .execute();
}

/** The capabilities that begin with a key, frequent ones first, each as the first agent spells it. */
async function findCapabilities(db: Kysely<Tables>, key: string): Promise<string[]> {
  const { from, to } = toRange(key);
  // From key to key, each found by the index: one key can have most agents.
  const { rows } = await sql<{ key: string; capabilities: string }>`
    WITH RECURSIVE keys (key, place) AS (
      SELECT (SELECT min(key) FROM text_keys WHERE kind = 'capability' AND key >= ${from} AND key < ${to}), 1
      UNION ALL
      SELECT (SELECT min(key) FROM text_keys WHERE kind = 'capability' AND key > keys.key AND key < ${to}), place + 1
      FROM keys
      WHERE keys.key IS NOT NULL AND place < ${sql.lit(MAX_STARTS)}
    ),
    counted AS (
      SELECT key, (
        SELECT count(*)
        FROM (
          SELECT 1 FROM text_keys AS same
          WHERE kind = 'capability' AND same.key = keys.key LIMIT ${sql.lit(MAX_COUNTED)}
        ) AS first
      ) AS count
      FROM keys
      WHERE key IS NOT NULL
      ORDER BY count DESC, key
      LIMIT ${sql.lit(MAX_CAPABILITIES)}
    )
    SELECT counted.key, capabilities
    FROM counted
    JOIN agents ON seq = (SELECT min(same.seq) FROM text_keys AS same WHERE kind = 'capability' AND same.key = counted.key)
    ORDER BY count DESC, counted.key
  `.execute(db);
  return rows.flatMap((row) => toKeys(JSON.parse(row.capabilities) as string[]).get(row.key) ?? []);
}

async function addSuggestions(transaction: Kysely<Tables>, agents: readonly StoredAgent[]): Promise<void> {
  const keys = agents.flatMap(({ seq, agent }) => {
    const [name, ...inner] = toStarts(agent.name);
    return [
      ...(name === undefined ? [] : [{ kind: 'name' as const, key: name, seq }]),
      ...Array.from(new Set(inner), (key) => ({ kind: 'inner' as const, key, seq })),
      ...Array.from(toKeys(agent.capabilities).keys(), (key) => ({ kind: 'capability' as const, key, seq })),
      ...toConnectionKeys(agent).map((key) => ({ kind: 'connection' as const, key, seq })),
    ];
  });
  for (const rows of chunksOf(keys)) await transaction.insertInto('text_keys').values(rows).execute();
}

/** Capabilities by their keys; of several spellings of one key, the first. */
function toKeys(capabilities: readonly string[]): Map<string, string> {
  const labels = new Map<string, string>();
  for (const label of capabilities) {
    const key = toKey(label);
    if (key !== '' && !labels.has(key)) labels.set(key, label);
  }
  return labels;
}
