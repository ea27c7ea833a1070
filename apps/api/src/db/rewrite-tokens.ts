import type { Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { toTokens } from '../search/agent-tokens.ts';
import { walkChunks } from './walk.ts';
import type { Engine } from './engine.ts';
import type { Tables } from './tables.ts';

/** Writes the tokens of all listed agents again, as part of a transaction: after a migration that changed them. */
export async function rewriteAllTokens(
  { tokens, categories }: Pick<Engine, 'tokens' | 'categories'>,
  transaction: Kysely<Tables>,
): Promise<void> {
  const agents = transaction
    .selectFrom('agents')
    .select(['seq', 'name', 'capabilities', 'category', 'example_tasks', 'description'])
    .select([
      'pricing_model as pricingModel',
      'api_access as apiAccess',
      'website',
      'website_checked_at',
      'connections',
    ]);
  for await (const rows of walkChunks(agents, ['seq'])) {
    const written = rows.map(
      ({ seq, capabilities, example_tasks: tasks, website_checked_at: checkedAt, connections, ...fields }) => {
        const others = {
          capabilities: JSON.parse(capabilities) as string[],
          exampleTasks: tasks === null ? [] : (JSON.parse(tasks) as string[]),
          ...(checkedAt !== null && { websiteCheckedAt: checkedAt }),
          ...(connections !== null && { connections: JSON.parse(connections) as Agent['connections'] }),
        };
        return { seq, ...toTokens({ ...fields, ...others }, categories) };
      },
    );
    const seqs = written.map(({ seq }) => seq);
    await tokens.remove(transaction, seqs);
    await transaction.deleteFrom('agent_terms').where('seq', 'in', seqs).execute();
    await tokens.add(transaction, written);
  }
}
