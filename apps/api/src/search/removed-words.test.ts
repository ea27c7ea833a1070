import { createManagementKey } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

/** Searches that find an agent by its word "quokkas", and "Ferry" by the other words. */
const SEARCHES = [
  'quokka',
  'quokkaz',
  'ferry quokka',
  'ferry quokkaz',
  'ferri quokkaz',
  'quokkaz ferri',
  'uokka ferry',
];

describe.each(surfaceEngines)('the words of an agent on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database });
    await app.agents.register(makeNewAgent({ name: 'Ferry', description: 'Crosses the river.' }));
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  /** Everything that the responses to all searches say. */
  async function searchAll(): Promise<string> {
    const texts: string[] = [];
    for (const q of SEARCHES) {
      for (const options of ['', '&sort=name', '&pricing=free']) {
        const response = await fetch(`${app.url}/api/search?q=${encodeURIComponent(q)}${options}`);
        const said = ['x-matched-words', 'x-corrected-query'].map((name) => response.headers.get(name));
        texts.push([response.status, ...said, await response.text()].join(' '));
      }
    }
    return texts.join('\n');
  }

  test.each(['erased', 'hidden', 'withdrawn', 'edited'])('are in no response once it is %s', async (change) => {
    const key = createManagementKey();
    const secret = makeNewAgent({ name: 'Zoo', description: 'Feeds the quokkas.', pricingModel: 'free' });
    const { agent } = await app.agents.register(secret, { key });
    const selection = { ids: new Set([agent.id]) };
    const operator = createOperatorStore(database.engine);
    expect(await searchAll()).toMatch(/quokkas.*\n.*quokkas/);
    // By another process, so that nothing in this one knows.
    const elsewhere = createAgentStore(database.engine);
    if (change === 'erased') await operator.erase(selection);
    if (change === 'hidden') await operator.hide(selection, '');
    if (change === 'withdrawn') await operator.withdraw(selection);
    if (change === 'edited') await elsewhere.update(agent.id, { key }, { description: 'Feeds all animals.' });
    expect(await searchAll()).not.toContain('quokkas');
  });
});
