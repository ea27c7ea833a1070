// Stores agents in a SQLite file as fast as SQLite alone can, ten to a transaction, each transaction on the disk: the
// same tables, indexes and triggers as a registration. Prints how many a second, and the p99 of how long a transaction takes,
// in milliseconds.
import { randomUUID } from 'node:crypto';
import SQLite from 'better-sqlite3';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { toTokens } from '../../apps/api/src/search/agent-tokens.ts';
import { p99 } from './timing.ts';

const BATCH = 10;
/** Agents whose rows are made before the time begins. */
const PREPARED = 5_000;

const [file = '', seconds = '1', seed = '3'] = process.argv.slice(2);
const database = new SQLite(file);
database.pragma('busy_timeout = 5000');
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
const insertAgent = database.prepare(`
  INSERT INTO agents (
    id, name, description, category, capabilities, contact_email, website, pricing_model, api_access, created_at
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`);
const insertTokens = database.prepare('INSERT INTO agent_tokens (rowid, tokens) VALUES (?, ?)');
const insertTerms = database.prepare('INSERT OR IGNORE INTO search_terms (term) SELECT value FROM json_each(?)');

const prepared = [...makeCorpus(PREPARED, Number(seed))].map((agent) => {
  const { tokens, terms } = toTokens(agent);
  return {
    texts: [agent.name, agent.description, agent.category, JSON.stringify(agent.capabilities), agent.contactEmail],
    choices: [agent.website, agent.pricingModel, agent.apiAccess],
    tokens: tokens.join(' '),
    terms: JSON.stringify(terms),
  };
});
let stored = 0;
const storeBatch = database.transaction(() => {
  for (let index = 0; index < BATCH; index += 1, stored += 1) {
    const { texts, choices, tokens, terms } = prepared[stored % PREPARED] as (typeof prepared)[number];
    const { lastInsertRowid } = insertAgent.run(randomUUID(), ...texts, ...choices, new Date().toISOString());
    insertTokens.run(lastInsertRowid, tokens);
    insertTerms.run(terms);
  }
});
const times: number[] = [];
const begin = performance.now();
for (let last = begin; last - begin < Number(seconds) * 1_000;) {
  storeBatch.immediate();
  const now = performance.now();
  times.push(now - last);
  last = now;
}
console.log(JSON.stringify({ perSecond: (stored / (performance.now() - begin)) * 1_000, p99: p99(times) }));
database.close();
