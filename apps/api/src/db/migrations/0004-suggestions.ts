import type { Kysely } from 'kysely';
import { orderedText } from './column-types.ts';

/** Agents that are read at once. */
const BATCH_SIZE = 500;

/**
 * Creates the tables of suggestions, and fills them with the agents that are listed.
 * @param db the database, as the transaction of the migration
 */
export async function createSuggestions(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);

  // The rows of an agent go with it.
  await db.schema
    .createTable('name_starts')
    .addColumn('seq', 'bigint', (column) => column.notNull().references('agents.seq').onDelete('cascade'))
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('is_inner', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('name_starts_by_key').on('name_starts').columns(['is_inner', 'key', 'seq']).execute();
  await db.schema.createIndex('name_starts_of_agent').on('name_starts').column('seq').execute();

  await db.schema
    .createTable('capability_counts')
    .addColumn('label', text, (column) => column.primaryKey().notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('beginning', text, (column) => column.notNull())
    .addColumn('agents', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('capability_counts_by_key')
    .on('capability_counts')
    .columns(['key', 'label', 'agents'])
    .execute();
  await db.schema
    .createIndex('capability_counts_by_agents')
    .on('capability_counts')
    .columns(['beginning', 'agents desc', 'label', 'key'])
    .execute();

  await fill(db);
}

type FilledTables = {
  agents: { seq: number; name: string; capabilities: string };
  name_starts: { seq: number; key: string; is_inner: 0 | 1 };
  capability_counts: { label: string; key: string; beginning: string; agents: number };
};

/** Adds the listed agents. Words within a word, and a few rare letters, are left as they are. */
async function fill(db: Kysely<FilledTables>): Promise<void> {
  const counts = new Map<string, { label: string; key: string; beginning: string; agents: number }>();
  for (let last = 0; ;) {
    const agents = await db
      .selectFrom('agents')
      .select(['seq', 'name', 'capabilities'])
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(BATCH_SIZE)
      .execute();
    const starts = agents.flatMap(({ seq, name }) => {
      const words = toWords(name).slice(0, 10);
      const keys = words.map((_, index) => toKey(words.slice(index))).filter((key) => key !== '');
      return keys.map((key, index) => ({ seq, key, is_inner: index === 0 ? (0 as const) : (1 as const) }));
    });
    if (starts.length > 0) await db.insertInto('name_starts').values(starts).execute();
    for (const { capabilities } of agents) {
      const keys = new Set<string>();
      for (const label of JSON.parse(capabilities) as string[]) {
        const key = label.length > 200 ? '' : toKey(toWords(label));
        if (key === '' || keys.has(key)) continue;
        keys.add(key);
        const { agents: counted } = counts.get(label) ?? { agents: 0 };
        counts.set(label, { label, key, beginning: Array.from(key).slice(0, 2).join(''), agents: counted + 1 });
      }
    }
    const end = agents.at(-1);
    if (!end) break;
    last = end.seq;
  }
  const rows = [...counts.values()];
  for (let begin = 0; begin < rows.length; begin += BATCH_SIZE) {
    const batch = rows.slice(begin, begin + BATCH_SIZE);
    await db.insertInto('capability_counts').values(batch).execute();
  }
}

function toWords(text: string): string[] {
  const words = text.normalize('NFKC').match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:\+\+|[+#](?![\p{L}\p{N}]))?/gu) ?? [];
  return words.map((word) =>
    word
      .normalize('NFKD')
      .replaceAll(/[\p{Script=Inherited}--[\u3099\u309A]]/gv, '')
      .toLowerCase()
      .normalize('NFC'),
  );
}

function toKey(words: readonly string[]): string {
  const letters = Array.from(words.join(''));
  return letters.length < 2 ? '' : letters.slice(0, 64).join('');
}
