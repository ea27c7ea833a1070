import { categoryIds, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';

/**
 * Invented agents for tests and benchmarks, newest first: names of one to three words, descriptions of 30 to 80 words,
 * two to eight capabilities. Word frequencies follow Zipf's law, and most names have a unique word.
 * @param count how many
 * @param seed the same seed gives the same agents
 */
export function* makeCorpus(count: number, seed = 1): Generator<Agent, void, undefined> {
  const random = makeRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const vocabulary = [...commonWords, ...coinWords(RARE_WORDS, random)];
  // Inverse of the distribution function: the nth word is 1/n as frequent as the first.
  const pickWord = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1] as string;
  const pickWords = (length: number) => Array.from({ length }, pickWord);
  // No function words: a capability or name is about a topic.
  const pickTopic = () => {
    const word = pickWord();
    return functionWords.has(word) ? pick(topics) : word;
  };

  for (let index = 0; index < count; index += 1) {
    const sentences = Array.from({ length: 3 + below(4) }, () => capitalize(pickWords(8 + below(7)).join(' ')));
    yield makeAgent({
      id: makeId(random),
      name: makeName(random, pick, pickTopic),
      description: `${sentences.join('. ')}.`,
      category: pick(categoryIds),
      capabilities: Array.from({ length: 2 + below(7) }, () =>
        Array.from({ length: 1 + below(3) }, pickTopic).join(' '),
      ),
      contactEmail: `owner${index}@example.com`,
      website: random() < 0.7 ? `https://agent${index}.example.com` : null,
      pricingModel: pick(['free', 'freemium', 'paid', 'enterprise']),
      apiAccess: pick(['yes', 'no', 'planned']),
      rating: random() < 0.5 ? 0 : Math.round(10 + random() * 40) / 10,
      reviewCount: random() < 0.5 ? 0 : below(400),
      createdAt: new Date(NEWEST - index * 60_000).toISOString(),
    });
  }
}

/** A random number generator from 0 up to 1 with a seed (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NEWEST = Date.UTC(2026, 0, 1);
/** The number of words besides the common ones. */
const RARE_WORDS = 30_000;

const functionWords = new Set(
  'the and of to a in for it your with is on that you as by or from are can be at an its into'.split(' '),
);
const topics =
  `agent data chat email report customer support code review image text document search assistant workflow calendar
  invoice translation summary analysis monitor schedule lead sales content video audio speech vision language model
  message ticket form table chart dashboard alert database cloud security audit contract legal medical recipe travel
  booking price product catalog order delivery inventory school teacher student lesson quiz research paper citation
  news podcast music photo design logo color garden weather energy budget tax payroll hiring interview resume meeting
  note task project team`.split(/\s+/);
const otherWords =
  `reads writes finds answers sends keeps works makes takes gives every new own each day when which before after
  without under over only never small large fast simple open free first next same other one two three time page
  file folder line list question answer result source change owner person company office shop store clinic plant
  server browser phone device network sensor camera robot machine tool service system platform engine plugin script
  api webhook python kubernetes postgres spreadsheet slack automation generation detection extraction classification
  integration notification verification optimization recommendation conversation personalization`.split(/\s+/);
const commonWords = [...functionWords, ...topics, ...otherWords];

const onsets = 'b c d f g h j k l m n p r s t v w z b d k l m n r s t br ch cl gr pl sh st tr'.split(' ');
const vowels = 'a e i o u a e i o ai ea ou'.split(' ');
const codas = ['', '', '', '', '', '', 'n', 'r', 's', 'l', 't'];

function coinWord(random: () => number, syllables: number): string {
  const pick = (parts: readonly string[]) => parts[Math.floor(random() * parts.length)] as string;
  return Array.from({ length: syllables }, () => pick(onsets) + pick(vowels) + pick(codas)).join('');
}

function coinWords(count: number, random: () => number): string[] {
  const words = new Set<string>();
  while (words.size < count) words.add(coinWord(random, 2 + Math.floor(random() * 2.5)));
  return [...words];
}

function makeName(random: () => number, pick: <Item>(items: readonly Item[]) => Item, pickTopic: () => string): string {
  const brand = capitalize(coinWord(random, 2 + Math.floor(random() * 2)));
  const topic = capitalize(pickTopic());
  return pick([
    () => `${brand} ${topic}`,
    () => `${brand} ${topic} Agent`,
    () => `${brand}Bot`,
    () => `${brand}GPT`,
    () => `${topic}-${brand}`,
    () => `${brand}.ai`,
    () => `${brand} ${topic} ${capitalize(pickTopic())}`,
    () => `${topic} ${capitalize(pickTopic())}`,
    () => brand,
  ])();
}

function makeId(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
  digits[12] = '4';
  digits[16] = '8';
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
