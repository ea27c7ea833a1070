import type { Agent, CategoryId } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { sampleAgents } from '../agents/load-sample-agents.ts';
import { makeCorpus } from './corpora.ts';

/** The property of search that a golden query tests. */
export type GoldenKind =
  | 'ranked'
  | 'prefix'
  | 'part'
  | 'folding'
  | 'punctuation'
  | 'cjk'
  | 'forgiving'
  | 'function words'
  | 'oddity';

/** A query and its expected results; agents are named by labels, see `labelOf`. */
export type GoldenQuery = {
  kind: GoldenKind;
  q: string;
  /** The labels of the first results in order; labels of an inner list may come in any order. */
  first: readonly (string | readonly string[])[];
  /** Labels that come after `first` in this order, perhaps with others between them. */
  later?: readonly string[];
  /** Labels anywhere in the results. */
  has?: readonly string[];
  /** Labels that must not be in the results. */
  not?: readonly string[];
  /** Whether the results end after `first`. */
  only?: boolean;
  /** The correction, compared without case and accents; null when there must be none. */
  corrected?: string | null;
  /** Why, if it is not obvious. */
  reason?: string;
};

/** The number of invented agents besides the agents that the queries are about. */
export const CORPUS_SIZE = 2_000;

/**
 * The agents that the golden queries search: sample agents, agents made for the queries and, last, a corpus.
 * @param corpusSize the number of agents in the corpus
 */
export function makeGoldenAgents(corpusSize = CORPUS_SIZE): Agent[] {
  return [
    ...sampleAgents.map(({ addedDaysAgo, ...agent }, index) => ({
      ...makeAgent({ id: makeId('a', index), createdAt: toCreatedAt(addedDaysAgo) }),
      ...agent,
    })),
    ...purposeMade.map(({ addedDaysAgo = 100, ...agent }, index) => ({
      ...makeAgent({ id: makeId('b', index), createdAt: toCreatedAt(addedDaysAgo) }),
      ...agent,
    })),
    ...makeCorpus(corpusSize),
  ];
}

/**
 * Returns the label of an agent in golden queries: its name, with the day of its registration if `sameName` is its
 * name.
 */
export function labelOf({ name, createdAt }: Pick<Agent, 'name' | 'createdAt'>): string {
  return sameName.has(name) ? `${name} of ${createdAt.slice(0, 10)}` : name;
}

const DAY = 86_400_000;
const LOADED_AT = Date.UTC(2026, 1, 1);

function toCreatedAt(addedDaysAgo: number): string {
  return new Date(LOADED_AT - addedDaysAgo * DAY).toISOString();
}

function makeId(part: string, index: number): string {
  return `${part.repeat(8)}-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

/** A name that several agents below have. */
const sameName = new Set(['Twinflower']);

/** As popular as an agent can be. */
const popular = { rating: 5, reviewCount: 10_000 };

type PurposeMade = {
  name: string;
  description: string;
  category?: CategoryId;
  capabilities?: string[];
  rating?: number;
  reviewCount?: number;
  addedDaysAgo?: number;
};

// Texts that a ranked query compares have the same number of words.
const purposeMade: readonly PurposeMade[] = [
  // kestrel: one agent per field in which the word can occur; the worse the field, the newer and more popular the
  // agent.
  { name: 'Kestrel', description: 'Keeps count of things that fly.', addedDaysAgo: 900 },
  { name: 'Kestrel Desk', description: 'Keeps count of things that fly.', addedDaysAgo: 800 },
  { name: 'Little Kestrel', description: 'Keeps count of things that fly.', addedDaysAgo: 700 },
  {
    name: 'Hedgerow Walk',
    description: 'Keeps count of things that fly.',
    capabilities: ['kestrel'],
    addedDaysAgo: 600,
    ...popular,
  },
  {
    name: 'Hedgerow Stile',
    description: 'Keeps count of every kestrel there.',
    capabilities: ['birds'],
    addedDaysAgo: 1,
    ...popular,
  },
  // kestral: a rare word of its own, one letter from the one above.
  { name: 'Shade Mixer', description: 'Mixes the grey that painters call kestral.', category: 'creative' },

  // marigold: two agents that differ only in the field of the second word.
  {
    name: 'Marigold Dusk',
    description: 'Sorts petals for the market stall.',
    category: 'vision',
    addedDaysAgo: 500,
  },
  {
    name: 'Marigold Dawn',
    description: 'Sorts petals on the market computer.',
    category: 'creative',
    addedDaysAgo: 2,
    ...popular,
  },

  // Equal matches: the newest first, not the most popular.
  { name: 'Saltmarsh Alpha', description: 'Reads the tide table.', addedDaysAgo: 300, ...popular },
  { name: 'Saltmarsh Bravo', description: 'Reads the tide table.', addedDaysAgo: 200 },
  { name: 'Saltmarsh Delta', description: 'Reads the tide table.', addedDaysAgo: 100, rating: 3, reviewCount: 4 },
  { name: 'Twinflower', description: 'Presses plants.', addedDaysAgo: 31, ...popular },
  { name: 'Twinflower', description: 'Presses plants.', addedDaysAgo: 1 },
  { name: 'Twinflower', description: 'Presses plants.', addedDaysAgo: 366, rating: 4, reviewCount: 40 },

  // Names that repeat a word, or have more words, rank below the exact name.
  { name: 'Tallow', description: 'Pours candles.', addedDaysAgo: 800 },
  {
    name: 'Tallow Tallow Tallow',
    description: 'Tallow for tallow, tallow by tallow.',
    capabilities: ['tallow', 'tallow candles', 'tallow soap'],
    addedDaysAgo: 1,
    ...popular,
  },
  { name: 'The Long Ledger', description: 'Books that go back for decades.', addedDaysAgo: 800 },
  { name: 'Long Ledger', description: 'Books that go back for decades.', addedDaysAgo: 1, ...popular },
  {
    name: 'Sea Otter Census',
    description: 'Counts each sea otter from the shore: otter by otter, raft by raft.',
    capabilities: ['otter counts', 'otter maps'],
    addedDaysAgo: 1,
    ...popular,
  },
  {
    name: 'Prompt Bazaar',
    description: 'Sells prompts. Every ChatGPT helper needs prompts; ask a ChatGPT helper, then ask another helper.',
    capabilities: ['ChatGPT helper', 'ChatGPT prompts', 'helper prompts'],
    addedDaysAgo: 1,
    ...popular,
  },
  { name: 'ChatGPT Helper', description: 'Shortens what you ask.', category: 'chatbot', addedDaysAgo: 700 },

  // Punctuation that belongs to a name.
  { name: 'C++ Reviewer', description: 'Notes undefined behaviour.', capabilities: ['C++', 'static analysis'] },
  { name: 'C Reviewer', description: 'Notes undefined behaviour.', capabilities: ['firmware', 'MISRA'] },
  { name: 'C# Porter', description: 'Moves old forms.', capabilities: ['desktop forms'] },
  { name: 'Node.js Helper', description: 'Tidies packages.', capabilities: ['Express', 'lockfiles'] },
  { name: 'NodeJS Doctor', description: 'Finds memory leaks.', capabilities: ['heap snapshots'] },
  { name: 'MultiAgent Studio', description: 'Draws who talks to whom.', category: 'creative' },
  { name: 'GPT-4 Prompt Lab', description: 'Tries wordings side by side.', category: 'language' },
  { name: '.NET Migrator', description: 'Lifts old solutions.' },
  { name: 'Robot 🤖 Friend', description: 'Cheers you up.', category: 'chatbot' },

  // Case, accents and width.
  { name: 'Łódź Guide', description: 'Walks through the old mills.', category: 'language' },
  { name: 'Smørrebrød Planner', description: 'Plans lunch.', category: 'creative' },
  { name: 'Straßenkarte', description: 'Zeichnet Karten.', category: 'vision' },
  { name: 'Crème Brûlée Timer', description: 'Says when it is done.' },
  { name: 'İstanbul Rehberi', description: 'Eski sokaklar.', category: 'language' },
  { name: 'Οδηγός Αθήνας', description: 'Περίπατοι.', category: 'language' },
  { name: 'Помощник юриста', description: 'Читает договоры.', category: 'language' },
  { name: 'ＧＰＴ Workbench', description: 'A bench for tuned models.', category: 'language' },

  // Text without blanks between words.
  { name: '東京都観光案内', description: '東京都の名所を紹介します。', category: 'language' },
  { name: '京都と東京の旅', description: '二つの町を新幹線で結ぶ旅程を作ります。', category: 'language' },
  { name: '契約書レビュー', description: '日本語の契約書を読み、危険な条項を指摘します。', category: 'language' },
  { name: 'コーヒー日誌', description: '豆と抽出の記録。', category: 'creative' },
  { name: '北京翻译助手', description: '把合同翻译成英文，并保留原来的格式。', category: 'language' },
  { name: '客服机器人', description: '全天回答顾客的问题。', category: 'chatbot' },
  { name: '서울 여행 도우미', description: '지하철 노선과 맛집을 알려 줍니다.', category: 'chatbot' },
  { name: 'AI議事録 Minutes', description: '会議の音声から議事録を作ります。', category: 'language' },

  // Searches that must not be corrected.
  { name: 'Emu Rota', description: 'Says who feeds the birds.' },
  { name: 'Lessan Guild', description: 'Weaves.', category: 'creative', ...popular },
];

/** The golden queries. */
export const goldenQueries: readonly GoldenQuery[] = [
  {
    kind: 'ranked',
    q: 'kestrel',
    first: ['Kestrel', 'Kestrel Desk', 'Little Kestrel', 'Hedgerow Walk', 'Hedgerow Stile'],
    only: true,
    corrected: null,
    reason: 'Exact name, name prefix, word in name, capability, description; five matches need no correction.',
  },
  { kind: 'ranked', q: 'pantry', first: ['Pantry', 'Pantry Forecast'] },
  { kind: 'ranked', q: 'pantry forecast', first: ['Pantry Forecast'] },
  { kind: 'ranked', q: 'plain query', first: ['Plain Query'] },
  {
    kind: 'ranked',
    q: 'otter',
    first: ['OtterDesk'],
    later: ['Sea Otter Census', 'Glaze Book'],
    reason:
      'A name that begins with the text comes before one that has it as a word, however often and popular, and that before potters in a description.',
  },
  { kind: 'ranked', q: 'tallow', first: ['Tallow', 'Tallow Tallow Tallow'] },
  {
    kind: 'ranked',
    q: 'the long ledger',
    first: ['The Long Ledger'],
    reason: 'The exact name, function word and all.',
  },
  { kind: 'ranked', q: 'long ledger', first: ['Long Ledger'], later: ['The Long Ledger'] },
  {
    kind: 'ranked',
    q: 'chatgpt helper',
    first: ['ChatGPT Helper', 'ChatGPT Helper for Teachers'],
    later: ['Prompt Bazaar'],
  },
  {
    kind: 'ranked',
    q: 'saltmarsh',
    first: ['Saltmarsh Alpha', 'Saltmarsh Bravo', 'Saltmarsh Delta'],
    reason: 'All match equally well, so the oldest is first, not the most popular, nor the latest of many.',
  },
  {
    kind: 'ranked',
    q: 'twinflower',
    first: ['Twinflower of 2025-01-31', 'Twinflower of 2026-01-01', 'Twinflower of 2026-01-31'],
  },
  {
    kind: 'ranked',
    q: 'marigold computer',
    first: ['Marigold Dawn', 'Marigold Dusk'],
    only: true,
    reason: 'The word is in the description of the one and only in the category of the other, which it did not write.',
  },
  { kind: 'ranked', q: 'small print', first: ['Small Print'] },
  { kind: 'ranked', q: 'receipt reader', first: ['Receipt Reader'] },
  {
    kind: 'ranked',
    q: 'Nightly Spreadsheet Reconciler for Small Nonprofits With More Than One Bank Account',
    first: ['Nightly Spreadsheet Reconciler for Small Nonprofits With More Than One Bank Account'],
  },
  {
    kind: 'ranked',
    q: 'meeting minutes',
    first: ['Minute Taker'],
    not: ['AI議事録 Minutes'],
    reason: 'All words of the query must occur.',
  },

  { kind: 'prefix', q: 'otterd', first: ['OtterDesk'] },
  { kind: 'prefix', q: 'front d', first: ['Front Desk 24'] },
  { kind: 'prefix', q: 'front desk 2', first: ['Front Desk 24'] },
  { kind: 'prefix', q: 'storyboard sk', first: ['Storyboard Sketcher'] },
  { kind: 'prefix', q: 'subt', first: ['Subtitle Bench'] },
  { kind: 'prefix', q: 'keigo c', first: ['Keigo Coach'] },
  { kind: 'prefix', q: 'glossary k', first: ['Glossary Keeper'] },
  { kind: 'prefix', q: 'transit gap f', first: ['Transit Gap Finder'] },
  { kind: 'prefix', q: 'grandma', first: ["Grandma's Recipe Typesetter"] },
  { kind: 'prefix', q: 'wildlife ident', first: ['Trailcam Sorter'] },
  { kind: 'prefix', q: 'gpt-4 pr', first: ['GPT-4 Prompt Lab'] },
  { kind: 'prefix', q: 'veterin', first: ['Front Desk 24'] },

  { kind: 'part', q: 'gpt', first: [], has: ['ChatGPT Helper', 'ChatGPT Helper for Teachers'], corrected: null },
  { kind: 'part', q: 'gpt helper', first: [['ChatGPT Helper', 'ChatGPT Helper for Teachers']], has: ['Prompt Bazaar'] },
  { kind: 'part', q: 'smith', first: ['LevelSmith'] },
  { kind: 'part', q: 'sieve', first: ['SurveySieve'] },
  { kind: 'part', q: 'elsmi', first: ['LevelSmith'] },
  {
    kind: 'part',
    q: 'concil',
    first: [],
    has: ['Nightly Spreadsheet Reconciler for Small Nonprofits With More Than One Bank Account'],
  },
  { kind: 'part', q: 'storyb sketch', first: ['Storyboard Sketcher'] },
  { kind: 'part', q: 'desk', first: [], has: ['Front Desk 24', 'OtterDesk', "Mia's Benefits Desk", 'Kestrel Desk'] },
  { kind: 'part', q: 'setter', first: [], has: ["Grandma's Recipe Typesetter"] },
  { kind: 'part', q: 'agent studio', first: ['MultiAgent Studio'] },
  {
    kind: 'part',
    q: 'tercoun',
    first: [],
    not: ['Sea Otter Census'],
    reason: 'A part of a word does not go over its end: otter counts.',
  },
  {
    kind: 'part',
    q: 'tt',
    first: ['Subtitle Bench'],
    only: true,
    not: ['OtterDesk'],
    reason: 'Two letters are found at the beginning of words only: TTML.',
  },

  { kind: 'folding', q: 'CHATGPT HELPER', first: ['ChatGPT Helper'] },
  { kind: 'folding', q: 'cafe concierge', first: ['Café Concierge'] },
  { kind: 'folding', q: 'CAFÉ', first: ['Café Concierge'] },
  {
    kind: 'folding',
    q: 'cafe\u0301 concierge',
    first: ['Café Concierge'],
    reason: 'The accent is a character of its own.',
  },
  { kind: 'folding', q: 'ótterdesk', first: ['OtterDesk'], reason: 'Accents do not matter in the query either.' },
  {
    kind: 'folding',
    q: 'lodz',
    first: ['Łódź Guide'],
    reason: 'A stroke through a letter is an accent to who has no such key.',
  },
  { kind: 'folding', q: 'ŁÓDŹ GUIDE', first: ['Łódź Guide'] },
  { kind: 'folding', q: 'smorrebrod', first: ['Smørrebrød Planner'] },
  { kind: 'folding', q: 'STRASSENKARTE', first: ['Straßenkarte'], reason: 'The upper case of ß is SS.' },
  { kind: 'folding', q: 'creme brulee', first: ['Crème Brûlée Timer'] },
  { kind: 'folding', q: 'istanbul', first: ['İstanbul Rehberi'] },
  { kind: 'folding', q: 'ΟΔΗΓΟΣ ΑΘΗΝΑΣ', first: ['Οδηγός Αθήνας'] },
  { kind: 'folding', q: 'ПОМОЩНИК', first: ['Помощник юриста'] },
  { kind: 'folding', q: 'gpt workbench', first: ['ＧＰＴ Workbench'] },
  { kind: 'folding', q: 'ＣｈａｔＧＰＴ　Ｈｅｌｐｅｒ', first: ['ChatGPT Helper'], reason: 'The blank is wide too.' },

  {
    kind: 'punctuation',
    q: 'c++',
    first: [['C++ Reviewer', 'C++ Build Mender']],
    has: ['LevelSmith', 'node.js Upgrade Scout'],
    not: ['C Reviewer', 'C# Porter'],
  },
  { kind: 'punctuation', q: 'C++ reviewer', first: ['C++ Reviewer'], not: ['C Reviewer'] },
  { kind: 'punctuation', q: 'c reviewer', first: ['C Reviewer'], reason: 'The exact name.' },
  { kind: 'punctuation', q: 'c# porter', first: ['C# Porter'] },
  {
    kind: 'punctuation',
    q: 'node.js',
    first: [['Node.js Helper', 'node.js Upgrade Scout', 'NodeJS Doctor']],
    has: ['Receipt Reader'],
  },
  {
    kind: 'punctuation',
    q: 'nodejs',
    first: [['Node.js Helper', 'node.js Upgrade Scout', 'NodeJS Doctor']],
    has: ['Receipt Reader'],
  },
  { kind: 'punctuation', q: 'nodejs helper', first: ['Node.js Helper'] },
  { kind: 'punctuation', q: 'node.js doctor', first: ['NodeJS Doctor'] },
  {
    kind: 'punctuation',
    q: 'node js helper',
    first: ['Node.js Helper'],
    reason: 'A blank is what most type for a dot.',
  },
  {
    kind: 'punctuation',
    q: 'multiagent',
    first: [['MultiAgent Studio', 'Multi-Agent Runbook']],
    has: ['Invoice Matcher 3'],
  },
  {
    kind: 'punctuation',
    q: 'multi-agent',
    first: [['MultiAgent Studio', 'Multi-Agent Runbook']],
    has: ['Invoice Matcher 3'],
  },
  { kind: 'punctuation', q: 'multi agent runbook', first: ['Multi-Agent Runbook'] },
  { kind: 'punctuation', q: 'multiagent runbook', first: ['Multi-Agent Runbook'] },
  { kind: 'punctuation', q: 'gpt4', first: ['GPT-4 Prompt Lab'] },
  { kind: 'punctuation', q: '.net migrator', first: ['.NET Migrator'] },
  {
    kind: 'punctuation',
    q: 'mia’s benefits desk',
    first: ["Mia's Benefits Desk"],
    reason: 'Phones type the curved apostrophe.',
  },
  { kind: 'punctuation', q: 'on-premises', first: ['Weld Eye'] },
  {
    kind: 'punctuation',
    q: 'non-profits',
    first: ['Nightly Spreadsheet Reconciler for Small Nonprofits With More Than One Bank Account'],
  },

  {
    kind: 'cjk',
    q: '東京都',
    first: ['東京都観光案内'],
    not: ['京都と東京の旅'],
    reason: 'The other has its beginning and its end, not the whole.',
  },
  {
    kind: 'cjk',
    q: '京都',
    first: ['京都と東京の旅'],
    has: ['東京都観光案内'],
    reason: 'As characters it is inside 東京都.',
  },
  { kind: 'cjk', q: '東京', first: ['東京都観光案内'], has: ['京都と東京の旅'] },
  { kind: 'cjk', q: '観光', first: ['東京都観光案内'], only: true },
  { kind: 'cjk', q: '契約書', first: ['契約書レビュー'], only: true },
  { kind: 'cjk', q: '日本語', first: [['契約書レビュー', 'Subtitle Bench']], only: true },
  { kind: 'cjk', q: '敬語', first: ['Keigo Coach'], only: true },
  { kind: 'cjk', q: 'japanese 敬語', first: ['Keigo Coach'], only: true },
  { kind: 'cjk', q: 'レビュー', first: ['契約書レビュー'] },
  { kind: 'cjk', q: 'ｺｰﾋｰ', first: ['コーヒー日誌'], reason: 'Halfwidth letters are a matter of width.' },
  { kind: 'cjk', q: '翻译', first: ['北京翻译助手'], reason: 'Agents with the English word follow.' },
  { kind: 'cjk', q: '北京翻译助手', first: ['北京翻译助手'] },
  { kind: 'cjk', q: '机器人', first: ['客服机器人'], only: true },
  { kind: 'cjk', q: '发票', first: ['Receipt Reader'], reason: 'Agents with the English word follow.' },
  { kind: 'cjk', q: '서울', first: ['서울 여행 도우미'], only: true },
  { kind: 'cjk', q: '여행 도우미', first: ['서울 여행 도우미'] },
  {
    kind: 'cjk',
    q: '서울'.normalize('NFD'),
    first: ['서울 여행 도우미'],
    reason: 'Some systems send syllables in letters.',
  },
  { kind: 'cjk', q: '議事録 minutes', first: ['AI議事録 Minutes'], only: true },
  { kind: 'cjk', q: '東京 旅程', first: ['京都と東京の旅'], only: true },

  { kind: 'forgiving', q: 'oterdesk', first: ['OtterDesk'], corrected: 'otterdesk', reason: 'A letter is missing.' },
  { kind: 'forgiving', q: 'ottterdesk', first: ['OtterDesk'], corrected: 'otterdesk', reason: 'A letter too many.' },
  { kind: 'forgiving', q: 'otterdosk', first: ['OtterDesk'], corrected: 'otterdesk', reason: 'A wrong letter.' },
  { kind: 'forgiving', q: 'ottedresk', first: ['OtterDesk'], corrected: 'otterdesk', reason: 'Two letters swapped.' },
  {
    kind: 'forgiving',
    q: 'lveelsmith',
    first: ['LevelSmith'],
    corrected: 'levelsmith',
    reason: 'Near the beginning too.',
  },
  { kind: 'forgiving', q: 'reciept reader', first: ['Receipt Reader'], corrected: 'receipt reader' },
  { kind: 'forgiving', q: 'receipt raeder', first: ['Receipt Reader'], corrected: 'receipt reader' },
  {
    kind: 'forgiving',
    q: 'storybord skecher',
    first: ['Storyboard Sketcher'],
    corrected: 'storyboard sketcher',
    reason: 'Both words.',
  },
  {
    kind: 'forgiving',
    q: 'chatgtp helper',
    first: [['ChatGPT Helper', 'ChatGPT Helper for Teachers']],
    corrected: 'chatgpt helper',
  },
  { kind: 'forgiving', q: 'glosary keeper', first: ['Glossary Keeper'], corrected: 'glossary keeper' },
  { kind: 'forgiving', q: 'bolier room', first: ['Boiler Room Log'], corrected: 'boiler room' },
  {
    kind: 'forgiving',
    q: 'reconcillor',
    first: ['Nightly Spreadsheet Reconciler for Small Nonprofits With More Than One Bank Account'],
    corrected: 'reconciler',
    reason: 'Two in a word of eight or more letters.',
  },
  { kind: 'forgiving', q: 'trailkam sroter', first: ['Trailcam Sorter'], corrected: 'trailcam sorter' },
  {
    kind: 'forgiving',
    q: 'crême brûléé timre',
    first: ['Crème Brûlée Timer'],
    reason: 'Wrong accents are no mistakes, the swapped letters are one.',
  },
  {
    kind: 'forgiving',
    q: 'grandmas recipe',
    first: ["Grandma's Recipe Typesetter"],
    reason: 'Nobody types the apostrophe; without it the word has a letter too many.',
  },
  { kind: 'forgiving', q: 'kubernetse', first: [], corrected: 'kubernetes', reason: 'A word of the corpus only.' },
  {
    kind: 'forgiving',
    q: 'kestral',
    first: ['Shade Mixer'],
    only: true,
    corrected: null,
    reason: 'A word that agents use is not corrected.',
  },
  {
    kind: 'forgiving',
    q: 'lesson',
    first: [],
    not: ['Lessan Guild'],
    corrected: null,
    reason: 'Many agents have the word itself.',
  },
  {
    kind: 'forgiving',
    q: 'emo rota',
    first: [],
    not: ['Emu Rota'],
    reason: 'A word of three letters is taken as it stands.',
  },
  {
    kind: 'forgiving',
    q: 'pantree',
    first: [],
    not: ['Pantry', 'Pantry Forecast'],
    reason: 'Two mistakes in a word of seven letters.',
  },

  { kind: 'function words', q: 'minutes of the meeting', first: ['Minute Taker'] },
  { kind: 'function words', q: 'the receipt reader', first: ['Receipt Reader'] },
  { kind: 'function words', q: 'log for the boiler room', first: ['Boiler Room Log'] },
  { kind: 'function words', q: 'chatbot for the veterinary clinic', first: ['Front Desk 24'] },
  { kind: 'function words', q: 'speech for a wedding', first: ['Toast Writer'] },
  { kind: 'function words', q: 'the menus of cafés', first: ['Café Concierge'] },
  { kind: 'function words', q: 'inspection of the welds', first: ['Weld Eye'] },
  { kind: 'function words', q: 'the keeper of the glossary', first: ['Glossary Keeper'] },
  { kind: 'function words', q: 'counts for the otter', first: ['Sea Otter Census'] },
  { kind: 'function words', q: 'recipes for a glaze', first: ['Glaze Book'] },

  { kind: 'oddity', q: '"otterdesk"', first: ['OtterDesk'] },
  { kind: 'oddity', q: '"otterdesk', first: ['OtterDesk'] },
  { kind: 'oddity', q: '(otterdesk', first: ['OtterDesk'] },
  { kind: 'oddity', q: 'otterdesk*', first: ['OtterDesk'] },
  { kind: 'oddity', q: '^otterdesk', first: ['OtterDesk'] },
  { kind: 'oddity', q: '-otterdesk', first: ['OtterDesk'], reason: 'A minus leaves nothing out.' },
  { kind: 'oddity', q: 'otterdesk:*&!', first: ['OtterDesk'] },
  { kind: 'oddity', q: 'otterdesk\\', first: ['OtterDesk'] },
  { kind: 'oddity', q: 'otterdesk otterdesk', first: ['OtterDesk'] },
  { kind: 'oddity', q: 'front\tdesk\n24', first: ['Front Desk 24'] },
  { kind: 'oddity', q: 'NOT otterdesk', first: ['OtterDesk'], reason: 'Its description has the word not.' },
  {
    kind: 'oddity',
    q: 'otterdesk OR levelsmith',
    first: [],
    only: true,
    reason: 'OR is a word, and no agent has both names.',
  },
  { kind: 'oddity', q: 'robot 🤖 friend', first: ['Robot 🤖 Friend'] },
  { kind: 'oddity', q: '%', first: [], only: true },
  { kind: 'oddity', q: '_', first: [], only: true },
  { kind: 'oddity', q: '*', first: [], only: true },
  { kind: 'oddity', q: '"', first: [], only: true },
  { kind: 'oddity', q: "'; DROP TABLE agents; --", first: [], not: ['OtterDesk'] },
  { kind: 'oddity', q: 'q'.repeat(200), first: [], only: true },
];
