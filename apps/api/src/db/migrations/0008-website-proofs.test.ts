import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createAgentStore } from '../../stores.ts';
import { engines } from '../../testing/engines.ts';
import { addWebsiteProofs } from './0008-website-proofs.ts';

const proved = { website: 'https://example.com/', websiteCheckedAt: '2026-02-01T00:00:00.000Z' };

test.each(engines)('agents that were proved before are found as proved after it on $name', async ({ open }) => {
  const database = await open();
  const { db, name } = database.engine;
  const store = createAgentStore(database.engine);
  await store.load([
    makeAgent({ name: 'Heron mail', ...proved }),
    makeAgent({ name: 'Otter mail', website: proved.website }),
    makeAgent({ name: 'Beaver mail', ...proved, website: null }),
  ]);
  await db.transaction().execute(async (transaction) => {
    const schema = transaction.schema;
    for (const index of ['agents_proved', 'agents_newest_proved']) await schema.dropIndex(index).execute();
    await schema.alterTable('agents').dropColumn('website_proof').execute();
    // The index as it was, without the token of the filter.
    await database.engine.tokens.clear(transaction);
    const rows = await transaction.selectFrom('agents').select(['seq', 'name']).orderBy('seq').execute();
    await sql`DELETE FROM agent_terms`.execute(transaction);
    const toWords = (text: string) => text.toLowerCase().split(' ');
    await database.engine.tokens.add(
      transaction,
      rows.map(({ seq, name: text }) => ({
        seq,
        tokens: toWords(text).flatMap((word) => [word, `@${word}`, `&${word}`, `%${word}`]),
        terms: toWords(text).map((word) => `@${word}`),
      })),
    );
    await addWebsiteProofs(transaction as never, name);
  });
  const search = async (request: object) =>
    (await store.search({ text: 'mail', limit: 9, ...request }))?.agents.map((agent) => agent.name).toSorted();
  expect(await search({ proved: ['yes'] })).toEqual(['Heron mail']);
  expect(await search({})).toEqual(['Beaver mail', 'Heron mail', 'Otter mail']);
  expect(await search({ text: 'heron' })).toEqual(['Heron mail']);
  expect((await store.list({ proved: ['yes'] })).map((agent) => agent.name)).toEqual(['Heron mail']);
  await database.remove();
});
