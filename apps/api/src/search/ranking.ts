import { MAX_COUNTED_RESULTS, MAX_SEARCH_RESULTS } from '@agent-registry/contracts';

/** The constants of ranking and widening. */
export const ranking = {
  // Terms of a query.
  /** Most terms of a query, and most words within a term. Each is one more condition of every query of the index. */
  maxTerms: 10,
  /** Most words of a text without blanks that are scored. The work grows with their square. */
  maxPieces: 30,
  /** A last word that more agents use is finished: words that begin with it would add nothing to the count, but cost most of a search. */
  maxUnfinished: MAX_COUNTED_RESULTS,
  /** Most pieces of a text without blanks that agents must have, each of which is one more condition: more were pasted. */
  maxWindows: 100,
  /** Most values of a field, and negations of a sentence, that count. Each may cost a query of the index. */
  maxValues: 5,
  maxNegations: 3,
  /** Texts of more words are pasted: "not" and "without" in them rarely say which agents are not wanted. */
  maxSentenceWords: 20,
  /** Queries of more chunks are not matched inside words: long ones find by terms. */
  maxChunksToVary: 4,
  /** From this many stop words on, words of questions and stop words of other languages count: "war" alone is English. */
  minStopWords: 2,

  // Other forms of a term, which the vocabulary has.
  /** A typed query with this many results is not widened: it has enough. */
  widenBelow: MAX_SEARCH_RESULTS,
  /** The shortest term that is looked for inside words, in letters: two letters are inside of nearly every word. */
  minInfixLength: 3,
  maxInfixForms: 64,
  /** The shortest term with other inflections, in letters. The stemmer maps shorter words to each other too often. */
  minStemmedLength: 4,
  /** Most inflections of a term: English words have fewer, so more are a flood. */
  maxStemForms: 16,

  // Corrections.
  /** Words are corrected if fewer agents have all words as they were typed. */
  correctBelow: 5,
  /** The shortest term that may have one edit, and two, in letters: edits of shorter ones give other common words. */
  minLengthForEdits: { one: 4, two: 8 },
  /** Most terms of a query that are corrected: looking for a correction costs most of a search. */
  maxCorrectedTerms: 3,
  maxCorrections: 6,

  // Agents like another one.
  /** Most agents with the name that others shall be like. All of them come last, so that a namesake does not come first. */
  maxNamesakes: 20,

  // Candidates, whose texts are read and scored.
  /** Most agents with all words that are scored; later ones follow, latest first. */
  maxScored: 1_500,
  /** So many are scored however long their texts are, and more until these have so many characters. */
  alwaysScored: 400,
  scoredLength: 180_000,
  /** Most candidates by their name, and by a field before the description, if more agents have all words. */
  maxNamed: 100,
  maxByField: 120,
  /** Agents with some words follow if fewer have all of them: beside a page of good results they would only be noise. */
  partialBelow: 20,
  /** Most agents that are found by corrections, and most that have some of the words. */
  maxCorrected: 20,
  maxPartial: 100,
  maxSome: 600,
  // The characters that are read of the text of a field.
  maxRead: { capabilities: 600, tasks: 400, description: 1_000 },
  agentsPerTurn: 100,

  // The score: BM25F over the fields, and what it adds.
  /** The weight of a term in a field, and of a common word that is the whole name. That of the capabilities is divided by the root of their number. */
  fieldWeights: { name: 1.8, commonName: 0.5, capabilities: 1.6, text: 1 },
  /** How much the length of a field counts, as a share, where the usual length is neither long nor short, in words. */
  lengthShares: { name: 0.15, text: 0.4 },
  usualLengths: { name: 2.5, text: 20 },
  /** Texts up to this length count as equally short, in words. Beside a bare name, capabilities count as if there were so many. */
  minLengths: { text: 12, bare: 4 },
  saturation: 1,
  formWeights: { prefix: 0.4, stem: 0.45, synonym: 0.55, infix: 0.12, correction: 0.25 },
  /** The weight of a correction that is the only one of an English word. */
  onlyCorrectionWeight: 0.8,
  /** What a term weighs that the index finds outside of the texts that are read. */
  unreadWeight: 0.1,
  /** The weight of words that say little in a request, such as "make". */
  lightWeight: 0.3,
  /** How much words that stand near each other add, and how far they may be apart. */
  nearWeight: 0.6,
  maxDistance: 6,
  /** A word that more than this share of the agents have, if there are so many, is common: a name of it alone is no reason to be first. */
  commonShare: 0.01,
  commonAmong: 500,

  // The first page.
  maxOfOwner: 2,
  firstResults: 10,
};
