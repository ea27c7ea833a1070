import { say, sayRow, withDatabase, type CommandContext } from './command.ts';

/** Prints the first results of a public search, each with its score and, to explain it, what that is made of. */
export async function search(
  context: CommandContext,
  words: readonly string[],
  { explain = false }: { explain?: boolean },
): Promise<void> {
  await withDatabase(context, async ({ engine }) => {
    const hits = await engine.search({ text: words.join(' '), limit: 10, explain: true });
    const { seqs = [], explained = [], understood, correction } = hits ?? {};
    if (seqs.length === 0) return;
    const rows = await engine.db.selectFrom('agents').select(['seq', 'id', 'name']).where('seq', 'in', seqs).execute();
    for (const seq of seqs) {
      const row = rows.find((other) => other.seq === seq);
      const { score = '', parts = [] } = explained.find((other) => other.seq === seq) ?? {};
      if (row) sayRow(context, row.id, score, row.name);
      if (explain) for (const part of parts) say(context, `    ${part}`);
    }
    if (explain && understood !== undefined) sayRow(context, 'understood as', understood);
    if (explain && correction !== undefined) sayRow(context, 'found by', correction);
  });
}
