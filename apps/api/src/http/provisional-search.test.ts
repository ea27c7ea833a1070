import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { describe, expect, onTestFinished, test } from 'vitest';
import { engines } from '../testing/engines.ts';
import { startTestApp } from '../testing/test-app.ts';

/** More agents than a search reads the words of before it answers. */
const AGENTS = 3_200;
const agents = [
  makeAgent({ name: 'Salamander' }),
  ...Array.from({ length: AGENTS - 1 }, (_, index) => makeAgent({ name: `Otter ${index}` })),
];

describe.each(engines)('before the words of all agents are known, on $name', ({ open }) => {
  test('answers to searches are not kept, and later ones find more under the same address', async () => {
    const app = await startTestApp({ database: await open(), withSite: true });
    onTestFinished(() => app.close());
    await app.agents.load(agents);
    // "salamadner" is only found as a correction, which takes the words of all agents.
    const paths = ['/api/search?q=salamadner', '/api/facets?q=salamadner', '/?q=salamadner'];
    const read = async (path: string) => {
      const response = await fetch(app.url + path);
      return { cacheControl: response.headers.get('cache-control'), body: await response.text() };
    };

    const early = await Promise.all(paths.map(read));
    expect(early).toMatchObject(paths.map(() => ({ cacheControl: 'no-store' })));
    expect(early[0]?.body).toBe('[]');
    for (const path of paths) {
      await expect.poll(async () => (await read(path)).cacheControl).toBe('public, max-age=0, must-revalidate');
    }
    expect((await read('/api/search?q=salamadner')).body).toContain('Salamander');
    expect((await read('/api/facets?q=salamadner')).body).toContain('"total":1');
  });
});
