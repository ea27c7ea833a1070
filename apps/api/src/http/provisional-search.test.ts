import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { surfaceEngines } from '../testing/engines.ts';
import { startTestApp, type TestAppOptions } from '../testing/test-app.ts';

/** More agents than a search reads the words of before it answers. */
const AGENTS = 3_200;
const KEPT = 'public, max-age=0, must-revalidate';

describe.each(surfaceEngines)('before the words of all agents are known, on $name', ({ open }) => {
  async function start(options: TestAppOptions) {
    const app = await startTestApp({ withSite: true, PUBLIC_URL: 'https://registry.example', ...options });
    onTestFinished(() => app.close());
    return async (path: string, accept = '*/*') => {
      const response = await fetch(app.url + path, { headers: { accept } });
      return {
        cacheControl: response.headers.get('cache-control')?.replace(', no-transform', ''),
        body: await response.text(),
      };
    };
  }

  test('the answer to a search is not kept, and a later one finds more under the same address', async () => {
    const database = await open();
    const salamander = makeAgent({ name: 'Salamander' });
    const others = Array.from({ length: AGENTS - 1 }, (_, index) => makeAgent({ name: `Otter ${index}` }));
    await createAgentStore(database.engine).load([salamander, ...others]);
    const read = await start({ database });
    // It is only found as a correction, which takes the words of all agents.
    const path = '/api/search?q=salamadner';
    expect(await read(path)).toEqual({ cacheControl: 'no-store', body: '[]' });
    await expect.poll(() => read(path)).toEqual({ cacheControl: KEPT, body: JSON.stringify([salamander]) });
  });

  test('neither facets, pages nor feeds of such a search are kept', async () => {
    const database = await open();
    const agents = createAgentStore(database.engine);
    let isProvisional = true;
    const read = await start({
      database,
      agents: {
        ...agents,
        search: async (request) => {
          const found = await agents.search(request);
          return found && { ...found, isProvisional };
        },
        countFacets: async (list) => ({ ...(await agents.countFacets(list)), isProvisional }),
        latest: async (list) => ({ ...(await agents.latest(list)), isProvisional }),
      },
    });
    for (const [path, accept] of [
      ['/api/facets?q=otter'],
      ['/?q=otter'],
      ['/?q=otter', 'text/markdown'],
      ['/feed.xml?q=otter'],
      ['/feed.json?q=otter'],
    ] as const) {
      isProvisional = true;
      expect({ path, ...(await read(path, accept)) }).toMatchObject({ path, cacheControl: 'no-store' });
      isProvisional = false;
      expect({ path, ...(await read(path, accept)) }).toMatchObject({ path, cacheControl: KEPT });
    }
  });
});
