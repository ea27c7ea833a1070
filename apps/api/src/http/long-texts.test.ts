import { listEntrances, longTexts, toLongText } from '@agent-registry/contracts/testing/long-texts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { beforeAll, expect, test } from 'vitest';
import { send, startTestApp, type TestApp } from '../testing/test-app.ts';

const agent = makeAgent({ name: 'Known Agent' });
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ withSite: true });
  await app.agents.load([agent]);
  return () => app.close();
});

// A text that an expression or a parser reads again and again takes minutes, and the test its time limit.
test.each(listEntrances(agent.id))('the longest texts in $name are answered', async ({ lengths, toRequest }) => {
  for (const { max, of } of lengths) {
    for (const text of longTexts) {
      const t = performance.now();
      const { path, ...request } = toRequest(toLongText(text, max, of));
      const { status } = await send(app.url + path, request);
      if (performance.now() - t > 40) console.log(status, max, JSON.stringify(text), Math.round(performance.now() - t));
      expect(status).toBeLessThan(500);
    }
  }
});
