/** Groups of words and phrases of the field that mean the same, folded. A phrase has a blank between two words. */
const groups: readonly string[] = [
  'k8s, kubernetes, kube',
  'postgres, postgresql, psql, pg',
  'mongo, mongodb',
  'elastic, elasticsearch',
  'js, javascript',
  'ts, typescript',
  'py, python',
  'golang, go lang',
  'cpp, c++',
  'csharp, c#',
  'llm, large language model, language model',
  'tts, text to speech, speech synthesis',
  'stt, asr, speech to text, speech recognition, transcription',
  'ocr, optical character recognition, text recognition',
  'nlp, natural language processing',
  'rag, retrieval augmented generation',
  'cv, resume, curriculum vitae',
  'seo, search engine optimization',
  'crm, customer relationship management',
  'etl, extract transform load',
  'ci, continuous integration',
  'pr, pull request',
  'qa, quality assurance',
  'ui, user interface',
  'ux, user experience',
  'db, database',
  'repo, repository',
  'docs, documentation',
  'auth, authentication',
  'aws, amazon web services',
  'gcp, google cloud',
  'azure, microsoft azure',
  'gh, github',
  'yt, youtube',
  'twitter, tweet',
  'fb, facebook',
  'ig, instagram',
  'sms, text message',
  'email, mail',
  'photo, picture, image',
  'movie, film',
  'song, music',
  'slides, presentation, powerpoint, ppt',
  'spreadsheet, excel, sheets',
  'chatbot, chat bot',
  'crypto, cryptocurrency',
  'flight, airfare',
  'job, career, hiring',
  'lawyer, attorney, legal',
  'doctor, physician, medical',
  'translate, translation, translator',
  'summarize, summary, summarise, summarizer',
  'scrape, scraper, scraping, crawl, crawler',
  'analyze, analyse, analysis, analytics',
  'i18n, internationalization, localization',
  'a11y, accessibility',
  'ide, code editor',
  'os, operating system',
  '3d, three dimensional',
];

const synonyms = new Map<string, string[][]>();
for (const group of groups) {
  const phrases = group.split(', ').map((phrase) => phrase.split(' '));
  for (const phrase of phrases) {
    const [word] = phrase;
    if (phrase.length === 1 && word)
      synonyms.set(word, [...(synonyms.get(word) ?? []), ...phrases.filter((other) => other !== phrase)]);
  }
}

/** The synonyms of a folded word, each as its words. */
export function findSynonyms(word: string): readonly string[][] {
  return synonyms.get(word) ?? [];
}
