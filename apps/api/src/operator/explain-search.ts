import type { Engine } from '../db/engine.ts';

/** A result of a search; those past the scored ones have no score. */
type ExplainedResult = { id: string; name: string; score: number | undefined; parts: readonly string[] };

/** Runs a public search: its first ten results with what their scores are made of, and how the text was read. */
export async function explainSearch({ search, db }: Engine, text: string) {
  const {
    seqs = [],
    explained = [],
    understood,
    correction,
  } = (await search({ text, limit: 10, explain: true })) ?? {};
  const rows =
    seqs.length > 0
      ? await db.selectFrom('agents').select(['seq', 'id', 'name']).where('seq', 'in', seqs).execute()
      : [];
  const results = seqs.flatMap((seq): ExplainedResult[] => {
    const row = rows.find((other) => other.seq === seq);
    const { score, parts = [] } = explained.find((other) => other.seq === seq) ?? {};
    return row ? [{ id: row.id, name: row.name, score, parts }] : [];
  });
  return { results, understood, correction };
}
