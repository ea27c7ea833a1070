import type { Agent } from '@agent-registry/contracts';
import { toWords } from './search-oracle.ts';

/** A query and the ids of the agents of which it should find at least one. */
export type ItemQuery = { q: string; wanted: ReadonlySet<string> };

/** Queries of visitors who look for one agent, by kind of query. */
export type KnownItemQueries = Record<'name' | 'word' | 'prefix' | 'two words', ItemQuery[]>;

/**
 * Queries for agents by name: the whole name; a word that only this name has; the first three fifths of the name; that
 * word and a word of a capability.
 * @param count how many of each
 */
export function makeKnownItemQueries(agents: readonly Agent[], count: number, random: () => number): KnownItemQueries {
  const sample = takeSample(agents, count, random);
  const distinctive = takeSample(findDistinctiveWords(agents), count, random);
  const begins = (prefix: string) =>
    agents.filter(({ name }) => toWords(name).join(' ').startsWith(toWords(prefix).join(' ')));
  return {
    name: sample.map(({ name }) => ({ q: name, wanted: idsOf(agents.filter((agent) => agent.name === name)) })),
    word: distinctive.map(({ word, agent }) => ({ q: word, wanted: idsOf([agent]) })),
    prefix: sample.map(({ name }) => {
      const q = name.slice(0, Math.ceil(name.length * 0.6)).trim();
      return { q, wanted: idsOf(begins(q)) };
    }),
    'two words': distinctive.map(({ word, agent }) => {
      const words = agent.capabilities.flatMap(toWords);
      return { q: `${word} ${pick(words, random)}`, wanted: idsOf([agent]) };
    }),
  };
}

/**
 * Queries for a word that one name has, with a random letter wrong, missing, extra or swapped; every fourth word
 * of eight letters or more with two. None is a word of the agents.
 * @param count how many
 */
export function makeMisspelledQueries(agents: readonly Agent[], count: number, random: () => number): ItemQuery[] {
  const idsByWord = new Map<string, Set<string>>();
  for (const { id, name, capabilities, description } of agents) {
    for (const word of [name, ...capabilities, description].flatMap(toWords)) {
      idsByWord.set(word, (idsByWord.get(word) ?? new Set()).add(id));
    }
  }
  const words = findDistinctiveWords(agents).filter(({ word }) => /^[a-z]{5,}$/.test(word));
  return takeSample(words, count, random).map(({ word }) => {
    const edits = word.length >= 8 && random() < 0.25 ? 2 : 1;
    let q = word;
    while (idsByWord.has(q)) q = Array.from({ length: edits }).reduce<string>((text) => misspell(text, random), word);
    return { q, wanted: idsByWord.get(word) ?? new Set() };
  });
}

/** Words that only one name has, each with its agent. */
function findDistinctiveWords(agents: readonly Agent[]): { word: string; agent: Agent }[] {
  const agentsByWord = new Map<string, Agent[]>();
  for (const agent of agents) {
    for (const word of new Set(toWords(agent.name))) agentsByWord.set(word, [...(agentsByWord.get(word) ?? []), agent]);
  }
  return [...agentsByWord].flatMap(([word, [agent, ...others]]) =>
    agent && others.length === 0 ? [{ word, agent }] : [],
  );
}

function misspell(word: string, random: () => number): string {
  const letter = () => pick('abcdefghijklmnopqrstuvwxyz', random);
  const at = Math.floor(random() * word.length);
  return pick(
    [
      () => word.slice(0, at) + letter() + word.slice(at + 1),
      () => word.slice(0, at) + word.slice(at + 1),
      () => word.slice(0, at) + letter() + word.slice(at),
      () =>
        word.slice(0, at) +
        word
          .slice(at, at + 2)
          .split('')
          .toReversed()
          .join('') +
        word.slice(at + 2),
    ],
    random,
  )();
}

function idsOf(agents: readonly Agent[]): Set<string> {
  return new Set(agents.map(({ id }) => id));
}

function takeSample<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const rest = [...items];
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    const [item] = rest.splice(Math.floor(random() * rest.length), 1);
    return item as Item;
  });
}

function pick<Item>(items: ArrayLike<Item>, random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item;
}
