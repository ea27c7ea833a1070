import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { readSpellings, selectFrequent } from '../agents/often-listed.ts';
import { toKey, toRange } from '../search/suggestion-keys.ts';

/** A listed agent whose name has a word at which a text begins. */
export type SuggestedAgent = { id: string; name: string; category: string };

/** A capability in the spelling of most agents, and the number of its agents in any spelling. */
export type SuggestedCapability = { name: string; agents: number };

/** The agents and capabilities that begin with a text. */
export type FoundSuggestions = { agents: SuggestedAgent[]; capabilities: SuggestedCapability[] };

/** The most suggestions of each kind. */
const MAX_AGENTS = 5;
const MAX_CAPABILITIES = 3;
/** Most starts of names that are read beyond the beginning: a name may have several of them. */
const MAX_INNER = 20;
/** Most spellings of capabilities that are compared, so that a flood of them takes no longer: the first, and the frequent. */
const MAX_CANDIDATES = 100;
const MAX_FREQUENT = 10_000;

/** Finds the agents and capabilities that begin with a text, in the order of code points where nothing else orders them. */
export async function findSuggestions(db: Kysely<Tables>, text: string): Promise<FoundSuggestions> {
  const key = toKey(text);
  if (key === '') return { agents: [], capabilities: [] };
  const [agents, capabilities] = await Promise.all([findAgents(db, key), findCapabilities(db, key)]);
  return { agents, capabilities };
}

/** The agents whose names begin with a key, then those with a later word that does. */
async function findAgents(db: Kysely<Tables>, key: string): Promise<SuggestedAgent[]> {
  const first = await readStarts(db, { key, isInner: 0, limit: MAX_AGENTS });
  const inner = first.length < MAX_AGENTS ? await readStarts(db, { key, isInner: 1, limit: MAX_INNER }) : [];
  const agents = new Map([...first, ...inner].map((agent) => [agent.id, agent]));
  return [...agents.values()].slice(0, MAX_AGENTS);
}

function readStarts(db: Kysely<Tables>, { key, isInner, limit }: { key: string; isInner: 0 | 1; limit: number }) {
  const { from, to } = toRange(key);
  return db
    .selectFrom('name_starts')
    .innerJoin('agents', 'agents.seq', 'name_starts.seq')
    .select(['agents.id', 'agents.name', 'agents.category'])
    .where('is_inner', '=', isInner)
    .where('key', '>=', from)
    .where('key', '<', to)
    .orderBy('key')
    .orderBy('name_starts.seq')
    .limit(limit)
    .execute();
}

/** The capabilities of most agents that begin with a key. */
async function findCapabilities(db: Kysely<Tables>, key: string): Promise<SuggestedCapability[]> {
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
