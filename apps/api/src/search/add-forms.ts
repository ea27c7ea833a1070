import { setImmediate } from 'node:timers/promises';
import { sify } from 'chinese-conv';
import { ENGLISH, type Language } from './languages.ts';
import { ranking } from './ranking.ts';
import { findCorrections, mayBeMisspelled } from './find-corrections.ts';
import { NO_FORMS, type Forms, type QueryChunk, type QueryTerm, type SearchQuery } from './read-query.ts';
import { findSynonyms } from './synonyms.ts';
import { findTranslations } from './translations.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Widens a query: adds the other forms of its terms, by default with synonyms. */
export async function addForms(
  query: SearchQuery,
  vocabulary: Vocabulary,
  { hasSynonyms = true } = {},
): Promise<SearchQuery> {
  const { language } = query;
  const options = { language, hasSynonyms, hasInfixes: query.chunks.length <= ranking.maxChunksToVary };
  const forms = new Map<string, Forms>();
  const addTo = async (term: QueryTerm): Promise<QueryTerm> => {
    if (term.isRun) return hasSynonyms ? addTranslations(term) : term;
    // A lookup can take milliseconds, so the event loop gets its turn between two terms.
    await setImmediate();
    const known = forms.get(term.text) ?? findForms(term, vocabulary, options);
    forms.set(term.text, known);
    return { ...term, forms: known };
  };
  const chunks: QueryChunk[] = [];
  for (const { terms, joined } of query.chunks) {
    const added: QueryTerm[] = [];
    for (const term of terms) added.push(await addTo(term));
    chunks.push({ terms: added, joined: joined && (await addTo(joined)) });
  }
  return { ...query, chunks };
}

/** The terms of a query that no agent uses, as many as are corrected. */
export function listUnknownTerms({ chunks }: SearchQuery, vocabulary: Vocabulary): QueryTerm[] {
  const terms = chunks.flatMap((chunk) => chunk.terms);
  const unknown = terms.filter((term) => mayBeMisspelled(term, vocabulary));
  // Several words of which agents use hardly any are another language.
  const isForeign = unknown.length > ranking.maxUnknown && unknown.length > terms.length / 2;
  return isForeign ? [] : unknown.slice(0, ranking.maxCorrectedTerms);
}

/** Adds the words that the unknown terms of a query may stand for. */
export async function addCorrections(query: SearchQuery, vocabulary: Vocabulary): Promise<SearchQuery> {
  const corrections = new Map<QueryTerm, Forms>();
  for (const term of listUnknownTerms(query, vocabulary)) {
    // A lookup can take milliseconds, so the event loop gets its turn between two terms.
    await setImmediate();
    corrections.set(term, { ...term.forms, correction: findCorrections(term.text, vocabulary) });
  }
  const chunks = query.chunks.map((chunk) => ({
    ...chunk,
    terms: chunk.terms.map((term) => ({ ...term, forms: corrections.get(term) ?? term.forms })),
  }));
  return { ...query, chunks };
}

/** Adds the English words for a text without blanks, or for the text without its ending. */
export function addTranslations(term: QueryTerm): QueryTerm {
  const { text, forms } = term;
  return {
    ...term,
    forms: { ...forms, synonym: [...new Set([text, sify(text), ...forms.stem])].flatMap(findTranslations) },
  };
}

function findForms(
  { text, isLast }: QueryTerm,
  vocabulary: Vocabulary,
  { language, hasSynonyms, hasInfixes }: { language: Language; hasSynonyms: boolean; hasInfixes: boolean },
): Forms {
  const stem = text.length < ranking.minStemmedLength ? [] : findSameStem(text, language, vocabulary);
  const synonym = hasSynonyms ? [...findSynonyms(text), ...translate(text, language, vocabulary)] : [];
  if (!hasInfixes || text.length < ranking.minInfixLength) return { ...NO_FORMS, stem, synonym };
  const taken = new Set([text, ...stem]);
  const infix = vocabulary
    .findContaining(text, ranking.maxInfixForms)
    .filter((word) => !taken.has(word) && !(isLast && word.startsWith(text)));
  return { ...NO_FORMS, stem, synonym, infix };
}

/** Words with the same stem in the language of the query, or in English, of which most agents' texts are. */
function findSameStem(text: string, { stem }: Language, vocabulary: Vocabulary): string[] {
  return vocabulary.findSameStem(text, [...new Set([stem, ENGLISH.stem])], ranking.maxStemForms);
}

/** The English words for a word; those of an inflection only if no agent uses it, since "store" is like "storia". */
function translate(text: string, { nouns, stem }: Language, vocabulary: Vocabulary): readonly (readonly string[])[] {
  const known = findTranslations(text);
  return known.length > 0 || vocabulary.countAgents(text) > 0 ? known : (nouns.get(stem(text)) ?? []);
}
