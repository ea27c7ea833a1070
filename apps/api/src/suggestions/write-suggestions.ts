import type { Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { chunksOf } from '../db/walk.ts';
import type { Tables } from '../db/tables.ts';
import { toBeginning, toKey, toStarts } from '../agents/suggestion-keys.ts';
import type { Listener, StoredAgent } from '../agents/registry.ts';

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
        conflict.column('label').doUpdateSet((update) => ({
          agents: update('capability_counts.agents', '+', update.ref('excluded.agents')),
        })),
      )
      .execute();
    if (by === 1) continue;
    const labels = rows.map(({ label }) => label);
    await transaction.deleteFrom('capability_counts').where('label', 'in', labels).where('agents', '<=', 0).execute();
  }
}

/** The capabilities of agents. An agent counts once for a capability that it has in several spellings. */
function toCounts(agents: readonly Agent[]) {
  const rows = new Map<string, { label: string; key: string; beginning: string; agents: number }>();
  for (const agent of agents) {
    for (const [key, label] of toKeys(agent)) {
      const row = rows.get(label) ?? { label, key, beginning: toBeginning(key), agents: 0 };
      rows.set(label, { ...row, agents: row.agents + 1 });
    }
  }
  return [...rows.values()];
}

/** The keys of an agent's capabilities, each with its first spelling. */
function toKeys({ capabilities }: Agent): Map<string, string> {
  const keys = new Map<string, string>();
  for (const label of capabilities) {
    const key = label.length > MAX_LABEL_UNITS ? '' : toKey(label);
    if (key !== '' && !keys.has(key)) keys.set(key, label);
  }
  return keys;
}
