import type { Engine } from '../db/engine.ts';
import { readBySeqs } from '../db/records.ts';

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
  const results = (await readBySeqs(db, seqs)).map(({ seq, id, name }): ExplainedResult => {
    const { score, parts = [] } = explained.find((other) => other.seq === seq) ?? {};
    return { id, name, score, parts };
  });
  return { results, understood, correction };
}
