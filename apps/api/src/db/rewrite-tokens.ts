import type { Kysely } from 'kysely';
import { toTokens } from '../search/agent-tokens.ts';
import type { Engine } from './engine.ts';
import { toAgent } from './records.ts';
import type { Tables } from './tables.ts';
import { walkChunks } from './walk.ts';

/** Writes the tokens of all listed agents again, as part of a transaction: after a migration that changed them. */
export async function rewriteAllTokens(
  { tokens, categories }: Pick<Engine, 'tokens' | 'categories'>,
  transaction: Kysely<Tables>,
): Promise<void> {
  const agents = transaction.selectFrom('agents').selectAll();
  for await (const rows of walkChunks(agents, ['seq'])) {
    const written = rows.map((row) => ({ seq: row.seq, ...toTokens(toAgent(row), categories) }));
    const seqs = written.map(({ seq }) => seq);
    await tokens.remove(transaction, seqs);
    await transaction.deleteFrom('agent_terms').where('seq', 'in', seqs).execute();
    await tokens.add(transaction, written);
  }
}
