import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOperatorStore } from '../operator/operator-store.ts';
import { createAgentStore } from '../stores.ts';
import { surfaceEngines } from '../testing/engines.ts';

const same = { capabilities: [], website: null, createdAt: '2026-01-01T00:00:00.000Z' };

describe.each(surfaceEngines)('an explained search on $name', ({ open }) => {
  test('tells groups, terms, equal scores, and what the limit of an owner moved', async () => {
    const database = await open();
    onTestFinished(() => database.remove());
    await createAgentStore(database.engine).load([
      ...Array.from({ length: 4 }, (_, at) => makeAgent({ ...same, name: `Otter ${at}`, description: 'A ferry.' })),
      ...Array.from('abcdefghij', (letter) => makeAgent({ ...same, name: 'Quay', description: `A ferry ${letter}.` })),
    ]);
    const { results } = await createOperatorStore(database.engine).explainSearch('otter ferry');
    const lines = results.map(({ name, group, parts = [] }) => [group, name, ...parts.map(({ text }) => text)]);
    const terms = [expect.stringMatching(/^otter \d.*name/), expect.stringMatching(/^ferry \d.*text/)];
    expect(lines.slice(0, 4)).toEqual([
      ['all words', 'Otter 0', ...terms],
      ['all words', 'Otter 1', ...terms, 'equal score, newer'],
      ['some words', 'Quay', terms[1], '1 of 2 words', 'place 5 without the limit of an owner'],
      ['some words', 'Quay', terms[1], '1 of 2 words', 'equal score, newer', 'place 6 without the limit of an owner'],
    ]);
  });

  test('waits for the words of all agents', async () => {
    const database = await open();
    onTestFinished(() => database.remove());
    const { engine } = database;
    await createAgentStore(engine).load([makeAgent({ name: 'Otter' })]);
    let isFirst = true;
    const store = createOperatorStore({
      ...engine,
      async search(request) {
        const hits = await engine.search(request);
        const isProvisional = isFirst;
        isFirst = false;
        return hits && (isProvisional ? { ...hits, seqs: [], isProvisional } : hits);
      },
    });
    expect((await store.explainSearch('oter')).results).toMatchObject([
      { name: 'Otter', group: 'all words, corrected' },
    ]);
  });
});
