import type { Kysely } from 'kysely';

/** Agents that are read at once. */
const BATCH_SIZE = 500;
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー`;
const IS_RUN = new RegExp(`^[${UNSPACED}]`, 'u');
const PARTS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');

type NamedTables = {
  agents: { seq: number; name: string };
  name_starts: { seq: number; key: string; is_inner: 0 | 1 };
};

/** Writes the starts of names with text without blanks anew: they begin at each of its characters. */
export async function addInnerStarts(untyped: Kysely<unknown>): Promise<void> {
  const db = untyped as Kysely<NamedTables>;
  for (let last = 0; ;) {
    const agents = await db
      .selectFrom('agents')
      .select(['seq', 'name'])
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(BATCH_SIZE)
      .execute();
    const changed = agents.flatMap(({ seq, name }) => {
      const words = toWords(name);
      return words.some((word) => IS_RUN.test(word)) ? [{ seq, keys: toStarts(words.slice(0, 10)) }] : [];
    });
    const starts = changed.flatMap(({ seq, keys }) =>
      keys.map((key, index) => ({ seq, key, is_inner: index === 0 ? (0 as const) : (1 as const) })),
    );
    const seqs = changed.map(({ seq }) => seq);
    if (seqs.length > 0) await db.deleteFrom('name_starts').where('seq', 'in', seqs).execute();
    for (let begin = 0; begin < starts.length; begin += BATCH_SIZE) {
      const batch = starts.slice(begin, begin + BATCH_SIZE);
      await db.insertInto('name_starts').values(batch).execute();
    }
    const end = agents.at(-1);
    if (!end) return;
    last = end.seq;
  }
}

function toStarts(words: readonly string[]): string[] {
  const keys = words.flatMap((word, index) => {
    const parts = IS_RUN.test(word) ? Array.from(word) : [word];
    return parts.map((_, at) => Array.from([...parts.slice(at), ...words.slice(index + 1)].join('')).slice(0, 64));
  });
  return keys.flatMap((letters) => (letters.length < 2 ? [] : letters.join(''))).slice(0, 20);
}

function toWords(text: string): string[] {
  const words = text.normalize('NFKC').match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:\+\+|[+#](?![\p{L}\p{N}]))?/gu) ?? [];
  return words.flatMap((word) => {
    const folded = word.normalize('NFKD').replaceAll(/[\p{Script=Inherited}--[\u3099\u309A]]/gv, '');
    return folded.toLowerCase().normalize('NFC').match(PARTS) ?? [];
  });
}
