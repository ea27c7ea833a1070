import type { CategoryId } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import { toTokens } from '../../search/agent-tokens.ts';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

/** How many agents are read at once. */
const BATCH = 500;

/** The index of agents by tokens, in place of the indexes of words and trigrams that came before it. */
export async function createAgentTokens(db: Kysely<Tables>, { tokens: index }: Engine): Promise<void> {
  for (const table of ['agent_words', 'agent_trigrams', 'agent_search']) {
    await sql`DROP TABLE IF EXISTS ${sql.table(table)}`.execute(db);
  }
  await index.create(db);
  let seq = 0;
  for (;;) {
    const rows = await db.selectFrom('agents').selectAll().where('seq', '>', seq).orderBy('seq').limit(BATCH).execute();
    const last = rows.at(-1);
    if (!last) return;
    const agents = rows.map((row) => ({
      seq: row.seq,
      ...toTokens({
        ...row,
        category: row.category as CategoryId,
        capabilities: JSON.parse(row.capabilities) as string[],
      }),
    }));
    await index.add(db, agents);
    seq = last.seq;
  }
}
