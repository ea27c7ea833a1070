import { MAX_SEARCH_RESULTS } from '@agent-registry/contracts';
import type { Level } from './agent-tokens.ts';

/** The constants of ranking and widening. */
export const ranking = {
  // Terms of a query.
  /** Most terms of a query, and most words within a term. Each is one more condition in the query of every tier. */
  maxTerms: 10,
  /** Most values of a field that count. Each is one more condition of every query. */
  maxValues: 5,
  /** Most negations of a sentence that are read. Each may cost a query of the index. */
  maxNegations: 5,
  /** Texts of more words are pasted: "not" and "without" in them rarely say which agents are not wanted. */
  maxSentenceWords: 20,
  /** Queries of more chunks are neither read with neighbours as one word nor matched inside words: long ones find by terms. */
  maxChunksToVary: 4,
  /** From this many stop words on, words of questions and stop words of other languages count: "war" alone is English. */
  minStopWords: 2,

  // Other forms of a term, which the vocabulary has.
  /** A typed query with this many results is not widened: other forms rank last, past the results that are shown. */
  widenBelow: MAX_SEARCH_RESULTS,
  /** The shortest term that is looked for inside words, in letters: two letters are inside of nearly every word. */
  minInfixLength: 3,
  /** Most words that contain a term. Each is a token of the queries; the shortest are the nearest to the term. */
  maxInfixForms: 64,
  /** The shortest and the longest word that is read as a compound, and the shortest word in it, in letters: shorter ones are in many words. */
  minCompound: 9,
  maxCompound: 64,
  minCompoundPart: 4,
  /** The shortest term with other inflections, in letters. The stemmer maps shorter words to each other too often. */
  minStemmedLength: 4,
  /** The longest endings of inflections, in letters, after a common beginning of so many: else "agent" is also "agency". */
  endings: { minStem: 4, afterShorter: 2, afterStem: 3 },
  /** Most inflections of a term: English words have fewer, so more are a flood. */
  maxStemForms: 16,

  /** The shortest beginning that words of a family share, in letters: else "act" is "actor", and "car" is "caring". */
  minFamilyBase: 4,
  /** Most words of a family. Each is a token of the queries; the most used ones find nearly all agents. */
  maxFamilyForms: 4,

  // Corrections.
  /** Words are corrected if fewer agents have all words as they were typed. */
  correctBelow: 5,
  /** The shortest term that may have one edit, and two, in letters: edits of shorter ones give other common words. */
  minLengthForEdits: { one: 4, two: 8 },
  /** Most terms of a query that are corrected: looking for a correction and for its agents costs most of a search. */
  maxCorrectedTerms: 3,
  /** Most corrections of a term. The nearest come first, and each may cost a query of the index. */
  maxCorrections: 6,
  /** Most queries that look for agents with corrected terms, for three misspelled terms must not cost eighteen. */
  maxCorrectionChecks: 12,

  // Agents like another one, and phrases.
  /** Most agents with the name that others shall be like. All of them come last, so that a namesake does not come first. */
  maxNamesakes: 20,
  /** Most results whose texts are read to look for a phrase, best first. */
  maxChecked: MAX_SEARCH_RESULTS,

  // Scoring.
  /** Agents that are scored before other work gets its turn: scoring all of them can take milliseconds. */
  agentsPerTurn: 200,

  // The order of agents that match alike.
  /** Most words between the words of a query that stand together, and that stand near each other. */
  spans: [0, 8],
  /** Words that are farther apart, in UTF-16 units, are not near each other. */
  maxSpanLength: 200,
  /** Most places of a word that are compared: more are a flood. */
  maxPlaces: 20,
  /** Texts up to this length, in UTF-16 units, count as equally short. */
  minComparedLength: 128,
  /** A word that so many agents have as a capability is generic: a name alone does not come first. */
  genericFrom: 5,

  // Extras: the results that follow agents with all terms.
  /** Extras follow if fewer agents have all terms: beside a page of good results they would only be noise. */
  extrasBelow: 20,
  /** They never follow this many agents that have all terms inside of words: the list is long enough. */
  noExtrasFrom: 200,
  /** Most agents that are found by corrections: guesses stay a short list. */
  maxCorrected: 20,
  /** Most agents that have some of the terms. */
  maxPartial: 100,
  /** The latest agents with a term at a level that are candidates for it: more would not change the first page. */
  maxCandidates: 200,
  /** Most candidates whose terms are read and compared. */
  maxCompared: 1_000,
  /** The weight of a term by the first level that has it: a capability says what an agent does. */
  levelWeights: { '@': 1.3, '&': 1.6, '%': 1, '': 1 } satisfies Record<Level, number>,
  /** How much more a term weighs that a name begins with: as much as a capability. */
  beginningWeight: 1.23,
  /** How much the number of an agent's words counts, as a share, where `usualLength` is neither long nor short. */
  lengthShare: 0.2,
  usualLength: 40,
  /** The weight of another form instead of the term. */
  formWeights: { stem: 0.9, family: 0.8, synonym: 0.7 },
} as const;
