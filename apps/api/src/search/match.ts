import { levels, toNameBeginning, toNameTokens, toWindows, WINDOW, type Level } from './agent-tokens.ts';
import type { QueryChunk, QueryTerm, SearchQuery } from './read-query.ts';
import { restrict } from './read-query.ts';
import { all, any, type TokenQuery } from './token-index.ts';

/** How a term may match: as it was typed, the last one also as a beginning; as another form; or as a correction. Each includes those before it. */
export type Reach = 'typed' | 'forms' | 'corrected';

/** The query for the agents that have every chunk of a query at a level and fulfil its restriction. */
export function matchAll(query: SearchQuery, reach: Reach, level: Level = levels.description): TokenQuery {
  const { chunks, restriction } = query;
  // A query without words demands only its fields.
  return chunks.length === 0
    ? restrict(all(restriction.within), { ...restriction, within: [] })
    : restrict(all(chunks.map((chunk) => matchChunk(chunk, reach, level))), restriction);
}

/** The query for the agents whose name is the text of a query, or begins with it. */
export function matchNames({ name, restriction }: SearchQuery): TokenQuery {
  const exact = toNameTokens(name).map((token) => ({ token, isPrefix: false }));
  return restrict(any([...exact, { token: toNameBeginning(name), isPrefix: true }]), restriction);
}

/** The query for the agents that have a chunk. */
function matchChunk({ terms, joined }: QueryChunk, reach: Reach, level: Level): TokenQuery {
  const apart = all(terms.map((term) => matchTerm(term, reach, level)));
  return joined ? any([matchTerm(joined, reach, level), apart]) : apart;
}

/** The query for the agents that have a term. */
export function matchTerm(term: QueryTerm, reach: Reach, level: Level = levels.description): TokenQuery {
  const word = (text: string): TokenQuery => ({ token: level + text, isPrefix: false });
  const { stem, synonym, infix, correction } = term.forms;
  const synonyms = reach === 'typed' ? [] : synonym.map((words) => all(words.map(word)));
  if (term.isRun) return any([...[term.text, ...stem].map((run) => matchRun(run, level)), ...synonyms]);
  return any([
    { token: level + term.text, isPrefix: term.isLast },
    ...(reach === 'typed' ? [] : [...stem, ...infix].map(word)),
    ...synonyms,
    ...(reach === 'corrected' ? correction.map(({ word: other }) => word(other)) : []),
  ]);
}

// Each piece of a run is a window or the prefix of one.
function matchRun(run: string, level: Level): TokenQuery {
  const windows = toWindows(run).filter((window, index) => index === 0 || Array.from(window).length === WINDOW);
  return all(windows.map((window) => ({ token: level + window, isPrefix: true })));
}
