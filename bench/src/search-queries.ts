import type { Agent } from '@agent-registry/contracts';
import { makeRandom } from '../../apps/api/src/testing/corpora.ts';

/** A search and its words: an agent must have one alternative of each, or of any. */
export type Query = { text: string; words: { alternatives: string[]; isPrefix?: boolean }[]; isAny?: boolean };

/** The kinds of searches. */
export const kinds = [
  'exact',
  'name',
  'prefix',
  'substring',
  'misspelled',
  'need',
  'ten misspelled words',
  'two frequent words',
  'ten frequent words',
  'long words',
  'Chinese',
] as const;
/** A kind of searches. */
export type Kind = (typeof kinds)[number];

/** The most words that a part of a word is expanded to. */
const MAX_CONTAINING = 64;
/** A common Chinese character is one of these many from the first on. */
const CHINESE = { first: 0x4e00, count: 3_000 };
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** The least letters of a word that is searched alone. */
const MIN_TELLING_LENGTH = 5;

/** Makes searches of a kind, the same each time: words of names and capabilities, as frequent as they are there. */
export function makeQueries(kind: Kind, agents: readonly Agent[], size: number): Query[] {
  const random = makeRandom(kinds.indexOf(kind) + 1);
  const pick = <Item>(items: ArrayLike<Item>) => items[Math.floor(random() * items.length)] as Item;
  const counts = new Map<string, number>();
  for (const agent of agents) {
    for (const word of toWords(toColumns(agent).join(' '))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const vocabulary = [...counts.keys()];
  const frequent = [...counts].toSorted(([, a], [, b]) => b - a).map(([word]) => word);
  const pickTelling = (): string => {
    const { name, capabilities } = pick(agents);
    const word = pick(toWords(`${name} ${capabilities.join(' ')}`));
    return word.length < MIN_TELLING_LENGTH ? pickTelling() : word;
  };
  const pickMany = <Item>(length: number, make: () => Item) => Array.from({ length }, make);
  const misspell = (word: string) => {
    const at = 1 + Math.floor(random() * (word.length - 4));
    return `${word.slice(0, at)}${pick(LETTERS)}${word.slice(at + 1)}`;
  };
  const toQuery = (words: readonly string[], text = words.join(' ')): Query => ({
    text,
    words: words.map((word) => ({ alternatives: [word] })),
  });
  const makers: Record<Kind, () => Query> = {
    exact: () => toQuery([pickTelling()]),
    name() {
      const { name } = pick(agents);
      return toQuery(toWords(name), name);
    },
    prefix() {
      const word = pickTelling();
      const prefix = word.slice(0, 3 + Math.floor(random() * (word.length - 4)));
      return { text: prefix, words: [{ alternatives: [prefix], isPrefix: true }] };
    },
    substring() {
      const word = pickTelling();
      const at = 1 + Math.floor(random() * (word.length - 4));
      const part = word.slice(at, at + 3);
      const alternatives = vocabulary.filter((known) => known.includes(part)).slice(0, MAX_CONTAINING);
      return { text: part, words: [{ alternatives }] };
    },
    misspelled() {
      const word = pickTelling();
      return toQuery([word], misspell(word));
    },
    need: () => ({ ...toQuery([pick(frequent.slice(0, 200)), ...pickMany(4, pickTelling)]), isAny: true }),
    'ten misspelled words'() {
      const words = pickMany(10, pickTelling);
      return { ...toQuery(words, words.map(misspell).join(' ')), isAny: true };
    },
    'two frequent words': () => toQuery(pickMany(2, () => pick(frequent.slice(0, 50)))),
    'ten frequent words': () => ({ ...toQuery(pickMany(10, () => pick(frequent.slice(0, 100)))), isAny: true }),
    'long words': () => toQuery(pickMany(3, () => pickMany(60, () => pick(LETTERS)).join(''))),
    Chinese: () =>
      toQuery([String.fromCodePoint(...pickMany(12, () => CHINESE.first + Math.floor(random() * CHINESE.count)))]),
  };
  return pickMany(size, makers[kind]);
}

const toWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The texts of an agent that are searched, from the most to the least important. */
export const toColumns = ({ name, capabilities, category, description }: Agent) => [
  name,
  capabilities.join(' '),
  category,
  description,
];
