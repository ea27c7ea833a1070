import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MAX_FULL_LIST } from '@agent-registry/contracts';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { MIN_SIZE } from '../../apps/api/src/http/cache/compression.ts';
import { startRegistry } from '../../e2e/registry.ts';

/** The built product over a directory of its own, and a page of it. */
export type Page = {
  name: string;
  url: string;
};

/** The built product on two directories, each as a process. */
export type Sites = {
  /** The pages that are measured. */
  pages: readonly Page[];
  /** Home with as many agents as are read as one list. */
  largeHome: Page;
  /** Ends the processes. */
  stop(): Promise<void>;
};

const SMALL = 40;
const ASSETS = join(import.meta.dirname, '../../apps/web/dist/assets');
/** How long compressing everything may take, in milliseconds. */
const MAX_WARM_UP = 60_000;

/** Starts the built product on a small and on a large directory. */
export async function startSites(): Promise<Sites> {
  // So many that the page still reads the whole list.
  const agents = [...makeCorpus(MAX_FULL_LIST)];
  const small = await startRegistry(makeCorpus(SMALL));
  const large = await startRegistry(agents);
  const largeHome = { name: 'home, 2,000 agents', url: `${large.url}/` };
  return {
    pages: [
      { name: 'home, 40 agents', url: `${small.url}/` },
      largeHome,
      { name: 'a category', url: `${large.url}/?category=vision` },
      { name: 'a search', url: `${large.url}/?q=translation` },
      { name: 'an agent', url: `${large.url}/agent/${agents[7]?.id}` },
    ],
    largeHome,
    async stop() {
      await Promise.all([small.stop(), large.stop()]);
    },
  };
}

/** Visits a page and all files of the site, until the server has them compressed as it has where it is deployed. */
export async function warmUp({ url }: Page): Promise<void> {
  const files = (await readdir(ASSETS)).filter((file) => file.endsWith('.js'));
  const end = performance.now() + MAX_WARM_UP;
  for (const address of [url, ...files.map((file) => new URL(`/assets/${file}`, url).href)]) {
    while (!(await isCompressed(address))) {
      if (performance.now() > end) throw new Error(`${address} does not come compressed.`);
      await wait(20);
    }
  }
}

async function isCompressed(address: string): Promise<boolean> {
  const answer = await fetch(address, { headers: { 'accept-encoding': 'br' } });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const { byteLength } = await answer.arrayBuffer();
  return answer.headers.get('content-encoding') === 'br' || byteLength < MIN_SIZE;
}
