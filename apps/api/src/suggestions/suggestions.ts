import { sql, type Kysely } from 'kysely';
import { isSuggestible, type Agent, type Suggestions } from '@agent-registry/contracts';
import type { Tables } from '../db/tables.ts';
import { readSpellings, selectFrequent } from '../agents/often-listed.ts';
import { toKey, toRange, toStarts } from '../agents/text-keys.ts';
import { chunksOf } from '../db/records.ts';
import type { Listener, StoredAgent } from '../agents/agent-rows.ts';
import { toFirstDay } from '../stats/view-store.ts';

/** Longest capability that is suggested, in UTF-16 code units, so that an index of PostgreSQL takes it. */
const MAX_LABEL_UNITS = 200;

/** Writes the names and capabilities of listed agents. Other records of removed agents are deleted with their rows. */
export const writeSuggestions: Listener = async (transaction, event) => {
  const agents = event.agents.map(({ agent }) => agent as Agent);
  if (event.type === 'removed') await countCapabilities(transaction, agents, -1);
  if (event.type === 'updated' && event.before) {
    for (const table of ['name_starts', 'agent_capabilities'] as const) {
      await transaction
        .deleteFrom(table)
        .where(
          'seq',
          'in',
          event.agents.map(({ seq }) => seq),
        )
        .execute();
    }
    await countCapabilities(transaction, [event.before], -1);
    await addSuggestions(transaction, event.agents);
  }
  if (event.type === 'listed') await addSuggestions(transaction, event.agents);
};

type FoundSuggestions = Omit<Suggestions, 'categories'>;

/** The most suggestions of each kind. */
const MAX_AGENTS = 5;
const MAX_CAPABILITIES = 3;
/** Most starts of names that are ordered by what is known of their agents, so that a flood of them takes no longer. */
const MAX_STARTS = 200;
/** Most spellings of capabilities that are compared, so that a flood of them takes no longer: the first, and the frequent. */
const MAX_CANDIDATES = 100;
const MAX_FREQUENT = 10_000;

/**
 * Finds the agents and capabilities that begin with a text.
 * @param now the time, in milliseconds since 1970
 */
export async function findSuggestions(db: Kysely<Tables>, text: string, now: number): Promise<FoundSuggestions> {
  const key = toKey(text, 1);
  if (!isSuggestible(key)) return { agents: [], capabilities: [] };
  const [agents, capabilities] = await Promise.all([findAgents(db, key, now), findCapabilities(db, key)]);
  return { agents, capabilities };
}

/** The agents whose names begin with a key, then those with a later word that does. */
async function findAgents(db: Kysely<Tables>, key: string, now: number): Promise<Suggestions['agents']> {
  const first = await readStarts(db, { key, isInner: 0, now });
  const inner = first.length < MAX_AGENTS ? await readStarts(db, { key, isInner: 1, now }) : [];
  const agents = new Map([...first, ...inner].map((agent) => [agent.id, agent]));
  return [...agents.values()].slice(0, MAX_AGENTS);
}

/**
 * The agents with a start of their names: the whole start first, then agents whose websites were checked, then those with
 * more views of a month, then older ones.
 */
function readStarts(db: Kysely<Tables>, { key, isInner, now }: { key: string; isInner: 0 | 1; now: number }) {
  const { from, to } = toRange(key);
  return db
    .selectFrom((select) =>
      select
        .selectFrom('name_starts')
        .select(['key', 'seq'])
        .where('is_inner', '=', isInner)
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

/** The capabilities of most agents that begin with a key. */
async function findCapabilities(db: Kysely<Tables>, key: string): Promise<Suggestions['capabilities']> {
  const { from, to } = toRange(key);
  const found = await db
    .selectFrom((select) => {
      const first = select.selectFrom('capability_counts').select(['key', 'label', 'agents']);
      return select
        .selectFrom(selectFrequent(db).limit(MAX_FREQUENT).as('frequent'))
        .selectAll()
        .where('key', '>=', from)
        .where('key', '<', to)
        .union(
          select
            .selectFrom(
              first
                .where('key', '>=', from)
                .where('key', '<', to)
                .orderBy('key')
                .orderBy('label')
                .limit(MAX_CANDIDATES)
                .as('first'),
            )
            .selectAll(),
        )
        .as('candidates');
    })
    .select('key')
    .groupBy('key')
    .orderBy((select) => select.fn.sum('agents'), 'desc')
    .orderBy('key')
    .limit(MAX_CAPABILITIES)
    .execute();
  if (found.length === 0) return [];
  const keys = found.map((row) => row.key);
  const spellings = await readSpellings(db, keys);
  return keys.flatMap((wanted) => {
    const same = spellings.filter((row) => row.key === wanted);
    const [usual] = same;
    return usual ? { name: usual.label, agents: same.reduce((sum, { agents }) => sum + agents, 0) } : [];
  });
}

async function addSuggestions(transaction: Kysely<Tables>, agents: readonly StoredAgent[]): Promise<void> {
  const starts = agents.flatMap(({ seq, agent }) =>
    toStarts(agent.name).map((key, index) => ({ seq, key, is_inner: index === 0 ? (0 as const) : (1 as const) })),
  );
  for (const rows of chunksOf(starts)) await transaction.insertInto('name_starts').values(rows).execute();
  const capabilities = agents.flatMap(({ seq, agent }) => [...toKeys(agent).keys()].map((key) => ({ seq, key })));
  for (const rows of chunksOf(capabilities)) await transaction.insertInto('agent_capabilities').values(rows).execute();
  await countCapabilities(
    transaction,
    agents.map(({ agent }) => agent),
    1,
  );
}

/** Counts agents once more or once less for each of their capabilities, of which those without agents are deleted. */
async function countCapabilities(transaction: Kysely<Tables>, agents: readonly Agent[], by: 1 | -1): Promise<void> {
  for (const rows of chunksOf(toCounts(agents))) {
    await transaction
      .insertInto('capability_counts')
      .values(rows.map((row) => ({ ...row, agents: by * row.agents })))
      .onConflict((conflict) =>
        conflict.columns(['key', 'label']).doUpdateSet((update) => ({
          agents: update('capability_counts.agents', '+', update.ref('excluded.agents')),
        })),
      )
      .execute();
    if (by === 1) continue;
    const keys = rows.map(({ key }) => key);
    await transaction.deleteFrom('capability_counts').where('key', 'in', keys).where('agents', '<=', 0).execute();
  }
}

/** The capabilities of agents. An agent counts once for a capability that it has in several spellings. */
function toCounts(agents: readonly Agent[]) {
  const rows = new Map<string, { label: string; key: string; agents: number }>();
  for (const agent of agents) {
    for (const [key, label] of toKeys(agent)) {
      const row = rows.get(label) ?? { label, key, agents: 0 };
      rows.set(label, { ...row, agents: row.agents + 1 });
    }
  }
  return [...rows.values()];
}

function toKeys({ capabilities }: Agent): Map<string, string> {
  const keys = new Map<string, string>();
  for (const label of capabilities) {
    const key = label.length > MAX_LABEL_UNITS ? '' : toKey(label);
    if (key !== '' && !keys.has(key)) keys.set(key, label);
  }
  return keys;
}
