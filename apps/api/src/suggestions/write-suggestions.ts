import type { Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { chunksOf } from '../db/walk.ts';
import type { Tables } from '../db/tables.ts';
import { toBeginning, toKey, toStarts } from './suggestion-keys.ts';

/** Longest capability that is suggested, in UTF-16 code units, so that an index of PostgreSQL takes it. */
const MAX_LABEL_UNITS = 200;

/** Adds the names and capabilities of agents, in the transaction that has stored them. */
export async function addSuggestions(
  transaction: Kysely<Tables>,
  agents: readonly { seq: number; agent: Agent }[],
): Promise<void> {
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

/** Replaces the name and the capabilities of an agent, in the transaction that changes it. */
export async function replaceSuggestions(
  transaction: Kysely<Tables>,
  before: Agent,
  after: { seq: number; agent: Agent },
): Promise<void> {
  for (const table of ['name_starts', 'agent_capabilities'] as const) {
    await transaction.deleteFrom(table).where('seq', '=', after.seq).execute();
  }
  await removeSuggestions(transaction, [before]);
  await addSuggestions(transaction, [after]);
}

/** Removes the capabilities of agents, in the transaction that has removed their rows; what else is stored of them goes with the rows. */
export function removeSuggestions(transaction: Kysely<Tables>, agents: readonly Agent[]): Promise<void> {
  return countCapabilities(transaction, agents, -1);
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
