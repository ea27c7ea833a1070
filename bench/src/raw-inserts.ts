// Inserts agents with their tokens into a SQLite file as fast as SQLite alone can, ten per transaction; each
// transaction is synced to disk before the next one starts. Prints the agents per second.
import { randomUUID } from 'node:crypto';
import { defaultCategories, fold } from '@agent-registry/contracts';
import SQLite from 'better-sqlite3';
import { toTokens } from '../../apps/api/src/search/agent-tokens.ts';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';

/** Concurrent registrations. */
const BATCH = 10;
const PREPARED = 5_000;

const [file = '', seconds = '1', seed = '3'] = process.argv.slice(2);
const database = new SQLite(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
const insertAgent = database.prepare(`
  INSERT INTO agents (
    id, name, sort_name, description, category, capabilities, contact_email, website, pricing_model, api_access,
    created_at, changed_at
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`);
const insertTokens = database.prepare('INSERT INTO agent_tokens (rowid, tokens) VALUES (?, ?)');

const prepared = Array.from(makeCorpus(PREPARED, Number(seed)), (agent) => ({
  columns: [
    agent.name,
    fold(agent.name),
    agent.description,
    agent.category,
    JSON.stringify(agent.capabilities),
    agent.contactEmail,
    agent.website,
    agent.pricingModel,
    agent.apiAccess,
  ],
  tokens: toTokens(agent, defaultCategories).tokens.join(' '),
}));
let inserted = 0;
const insertBatch = database.transaction(() => {
  for (let index = 0; index < BATCH; index += 1, inserted += 1) {
    const { columns, tokens } = prepared[inserted % PREPARED] as (typeof prepared)[number];
    const now = new Date().toISOString();
    const { lastInsertRowid } = insertAgent.run(randomUUID(), ...columns, now, now);
    insertTokens.run(lastInsertRowid, tokens);
  }
});
const begin = performance.now();
while (performance.now() - begin < Number(seconds) * 1_000) insertBatch.immediate();
console.log((inserted / (performance.now() - begin)) * 1_000);
database.close();
