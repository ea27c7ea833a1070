import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { categoryIds } from '@agent-registry/contracts';
import { pick } from './attack-requests.ts';
import type { Corpus } from './corpus.ts';
import { postJson, type Sent } from './flood.ts';
import { readProcessorTime, startServer } from './server.ts';

/** The processor that one address may take, in cores. */
const MAX_CORES = 0.25;
/** The reads of one address in a second with the defaults. */
const READS_PER_SECOND = 600 / 60;
/** Requests of a kind before those that are measured, and these. */
const ROUNDS = { warm: 5, measured: 20 };

const WORDS = ['translate', 'customer', 'invoice', 'research', 'image', 'data', 'write', 'email', 'code', 'summary'];
const toQuery = (index: number) => `${pick(WORDS, index)}+${pick(WORDS, 3 * index + 1)}+-x${index}`;
const callTool = (name: string, args: object): Sent => ({
  ...postJson('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
});

/** The kinds of reads by name, each as requests that no cache holds. */
const kinds: Record<string, (index: number, ids: readonly string[]) => Sent> = {
  'one agent': (index, ids) => ({ path: `/api/agents/${pick(ids, index)}` }),
  'page of a list': (index, ids) => ({ path: `/api/agents?limit=200&after=${pick(ids, 7 * index)}` }),
  'page of changes with agents': (index) => ({ path: `/api/changes?include=agents&limit=${200 - index}` }),
  search: (index) => ({ path: `/api/search?q=${toQuery(index)}&limit=12` }),
  'search with filters': (index) => ({ path: `/api/search?q=${toQuery(index)}&pricing=free&apiAccess=yes&limit=12` }),
  'search in another order': (index) => ({
    path: `/api/search?q=${toQuery(index)}&sort=rating&limit=12&position=true`,
  }),
  'page of 200 results': (index) => ({ path: `/api/search?q=${pick(WORDS, index)}+-x${index}&limit=200` }),
  'all results': (index) => ({ path: `/api/search?q=${pick(WORDS, index)}+-x${index}` }),
  'misspelled search': (index) => ({ path: `/api/search?q=assistnt+resarch+documnt${index}` }),
  'facets of a search': (index) => ({ path: `/api/facets?q=${toQuery(index)}&pricing=free` }),
  suggestions: (index) => ({ path: `/api/suggest?q=${pick(WORDS, index).slice(0, 2 + (index % 3))}` }),
  'all agents of a category': (index) => ({
    path: `/api/agents/category/${pick(categoryIds, index)}?since=19${70 + index}-01-01`,
  }),
  feed: (index) => ({ path: `/feed.xml?q=${toQuery(index)}` }),
  'page of the list': (index) => ({ path: `/?sort=name&since=19${70 + index}-01-01` }),
  'page of a search': (index) => ({ path: `/?q=${toQuery(index)}` }),
  'page of a search with filters': (index) => ({
    path: `/?q=${toQuery(index)}&pricing=free&apiAccess=yes&sort=rating`,
  }),
  'page of a shared list': (index, ids) => ({
    path: `/?keep=${Array.from({ length: 50 }, (_, at) => pick(ids, index + at)).join(',')}`,
  }),
  'page of an agent': (index, ids) => ({ path: `/agent/${pick(ids, index)}` }),
  picture: (index, ids) => ({ path: `/agent/${pick(ids, index)}/picture.png` }),
  'MCP search': (index) => callTool('search_agents', { query: `${pick(WORDS, index)} -x${index}`, limit: 20 }),
  'MCP search in a category': (index) => callTool('search_agents', { query: pick(WORDS, index), category: 'language' }),
  'ARD search': (index) => postJson('/ard/search', { query: { text: pick(WORDS, index) }, pageSize: 100 }),
  'ARD search with tags': (index) =>
    postJson('/ard/search', { query: { text: pick(WORDS, index), filter: { tags: ['free'] } }, pageSize: 100 }),
};

/** What a kind of read costs: processor in milliseconds, the reads that it counts as, and the cores of one address. */
export type ReadCost = { name: string; processor: number; reads: number; cores: number; isTooMuch: boolean };

/** Measures what reads of every kind cost, each from an address of its own, on a built server with the default limits. */
export async function measureReadCosts({ url, agents }: Corpus): Promise<ReadCost[]> {
  const server = await startServer(url, { READ_LIMIT: '', PUBLIC_URL: 'https://registry.example' });
  const ids = agents.map(({ id }) => id);
  const costs: ReadCost[] = [];
  for (const [place, [name, toRequest]] of Object.entries(kinds).entries()) {
    const localAddress = `127.0.5.${place + 1}`;
    const read = async (index: number) =>
      expectSuccess(name, await exchange(server.url, toRequest(index, ids), localAddress));
    for (let index = 0; index < ROUNDS.warm; index += 1) await read(index);
    const before = { processor: readProcessorTime(server.pid), left: await countLeft(server.url, localAddress) };
    for (let index = 0; index < ROUNDS.measured; index += 1) await read(ROUNDS.warm + index);
    const processor = (readProcessorTime(server.pid) - before.processor) / ROUNDS.measured;
    // The request that tells how many are left counts, too.
    const reads = (before.left - (await countLeft(server.url, localAddress)) - 1) / ROUNDS.measured;
    const cores = (processor / reads) * READS_PER_SECOND;
    costs.push({ name, processor: 1_000 * processor, reads, cores, isTooMuch: cores > MAX_CORES });
  }
  await server.stop();
  return costs;
}

/** The reads that an address has left. */
async function countLeft(url: string, localAddress: string): Promise<number> {
  const { headers } = await exchange(url, { path: '/api/nothing' }, localAddress);
  return Number(/"read";r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
}

async function exchange(url: string, { path, body, ...options }: Sent, localAddress: string): Promise<IncomingMessage> {
  const sent = request(url + path, { ...options, localAddress, agent: false }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await text(response);
  return response;
}

function expectSuccess(name: string, { statusCode }: IncomingMessage): void {
  if (statusCode !== 200) throw new Error(`${name} got ${statusCode}.`);
}
