import { levels, toNameBeginning, toNameTokens } from './agent-tokens.ts';
import { analyze } from './analyze.ts';
import { ranking } from './ranking.ts';
import type { TokenQuery, TokenReader } from './token-index.ts';

/**
 * Finds the agents that a text names, the latest first: those with the text as their name, else the only one whose name
 * begins with it, else the only one with the text as a word of its name.
 */
export async function findNamed(index: TokenReader, text: string): Promise<number[]> {
  const name = analyze(text);
  if (name.length === 0) return [];
  const exact = await index.match(toNameQuery(text), { limit: ranking.maxNamesakes });
  if (exact.length > 0) return exact;
  const [term, ...others] = name.flatMap(({ terms }) => terms);
  const isWord = term !== undefined && others.length === 0 && !term.isRun;
  const ways: TokenQuery[] = [
    { token: `${toNameBeginning(name)}_`, isPrefix: true },
    ...(isWord ? [{ token: levels.name + term.text, isPrefix: false }] : []),
  ];
  for (const way of ways) {
    const found = await index.match(way, { limit: 2 });
    if (found.length === 1) return found;
  }
  return [];
}

/** Whether a text is the name of an agent. */
export async function isName(index: TokenReader, text: string): Promise<boolean> {
  return analyze(text).length > 0 && (await index.match(toNameQuery(text), { limit: 1 })).length > 0;
}

function toNameQuery(text: string): TokenQuery {
  return { any: toNameTokens(analyze(text)).map((token) => ({ token, isPrefix: false })) };
}
