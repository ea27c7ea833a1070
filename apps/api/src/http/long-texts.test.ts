import { listEntrances, longTexts, toLongText } from '@agent-registry/contracts/testing/long-texts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { beforeAll, expect, test, vi } from 'vitest';
import { send, startTestApp, type TestApp } from '../testing/test-app.ts';
import { runsAll } from '../testing/tier.ts';

/** The entrances that get every text; each other one gets one of so many, and `attacks` sends all. */
const SEARCHES = new Set(['q of GET /api/search', ...(runsAll ? ['q of the form /?paste'] : [])]);
const SHARE = runsAll ? 16 : 64;

// Each takes some seconds at most, on a busy machine, too.
vi.setConfig({ testTimeout: 60_000 });

const agent = makeAgent({ name: 'Known Agent' });
const entrances = listEntrances(agent.id).map((entrance, place) => ({
  ...entrance,
  texts: SEARCHES.has(entrance.name) ? longTexts : longTexts.filter((_, index) => index % SHARE === place % SHARE),
}));
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ withSite: true });
  await app.agents.load([agent]);
  return () => app.close();
});

// An expression or a parser that reads parts of a text again and again takes longer than a test may.
test.each(entrances)('the longest texts are answered in $name', async ({ texts, lengths, toRequest }) => {
  for (const { max, of } of lengths) {
    for (const text of texts) {
      const { path, ...request } = toRequest(toLongText(text, max, of));
      expect((await send(app.url + path, request)).status).toBeLessThan(500);
    }
  }
});
