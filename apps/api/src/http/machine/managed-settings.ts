import {
  hashConnections,
  isFiltered,
  listAllowed,
  MANAGED_SETTINGS_PATH,
  MAX_PAGE_SIZE,
  MAX_SHARED,
  parseBrowseParams,
  parseKept,
  pickFilters,
  type AllowedServer,
  type BrowseParams,
  type ListedAgent,
  type RegistrationMode,
  type SiteConfig,
} from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { RegistryError } from '../../registry-error.ts';
import type { PublicReads } from '../api/public-reads.ts';
import type { Surface } from '../api/surface.ts';

/** An entry: its servers that are allowed, and why others are left out. */
type Entry = { id: string; servers: AllowedServer[]; fault?: string | false };

/** The entries whose servers are allowed: as they were looked at, or those of a list that an operator has released. */
type Allowing = { kept: { id: string; hash: string }[]; list?: never } | { kept?: never; list: BrowseParams };

/** Serves the managed settings with which Claude Code and Copilot allow the MCP servers of chosen entries, and no others. */
export function registerManagedSettings(
  app: FastifyInstance,
  { cache, readVersion, readsOf, agents, siteConfig, registration }: Surface,
): void {
  app.get(
    MANAGED_SETTINGS_PATH,
    cache.route<Allowing>({
      readVersion,
      parse: ({ url }) => parseAllowing(new URLSearchParams(url.split('?', 2)[1]), siteConfig, registration),
      async produce(request, { kept, list }) {
        const entries = kept
          ? await Promise.all(kept.map((one) => readKept(agents, one)))
          : await readReleased(agents, readsOf(request), list);
        const texts = new Set(entries.flatMap(({ servers }) => servers.map((server) => JSON.stringify(server))));
        const servers = [...texts].toSorted((one, other) => (one < other ? -1 : 1));
        const leftOut = entries.flatMap(({ id, fault }) => (fault ? `${id} (${fault})` : []));
        return {
          headers: {
            'content-type': 'application/json; charset=utf-8',
            ...(leftOut.length > 0 && { 'X-Left-Out': leftOut.join(', ') }),
          },
          body: `{"allowManagedMcpServersOnly": true, "allowedMcpServers": [\n${servers.join(',\n')}\n]}\n`,
        };
      },
    }),
  );
}

function parseAllowing(params: URLSearchParams, { categories }: SiteConfig, registration: RegistrationMode): Allowing {
  if (params.has('keep')) {
    const kept = parseKept(params.getAll('keep').join(','));
    if (!kept) throw refuse('keep must be ids of agents, each with ~ and its connectionsHash, and commas between');
    if (kept.length > MAX_SHARED) throw refuse(`keep can have at most ${MAX_SHARED} agents`);
    return { kept };
  }
  const list = registration === 'held' ? parseBrowseParams(params, categories) : undefined;
  if (list?.text === '' && (isFiltered(list) || list.category !== undefined)) return { list };
  throw refuse('keep must name agents; where registrations are held, the filters of a list can');
}

function refuse(detail: string): RegistryError {
  return new RegistryError('invalid', detail);
}

async function readKept(agents: Surface['agents'], { id, hash }: { id: string; hash: string }): Promise<Entry> {
  const agent = await agents.find(id);
  if (!agent) return { id, servers: [], fault: 'not listed' };
  const isSame = !agent.connections || (await hashConnections(agent.connections)) === hash;
  return isSame ? allow(agent) : { id, servers: [], fault: 'changed' };
}

async function readReleased(agents: Surface['agents'], { read }: PublicReads, list: BrowseParams): Promise<Entry[]> {
  const { category } = list;
  const page = { ...pickFilters(list), limit: MAX_PAGE_SIZE };
  const found = await (category === undefined
    ? read('agents.list', page)
    : read('agents.byCategory', { ...page, category }));
  if (found.next !== undefined) {
    throw refuse('More agents match than one page holds; the filters must leave fewer');
  }
  const released = await agents.findReleased(found.agents.map(({ id }) => id));
  const entries = found.agents.filter(({ id }) => released.has(id)).map(allow);
  if (entries.some(({ servers }) => servers.length > 0)) return entries;
  throw new RegistryError('not-found', 'No released agent that these filters leave has an MCP server');
}

function allow(agent: Omit<ListedAgent, 'contactEmail'>): Entry {
  const { servers, isWhole } = listAllowed(agent);
  const fault = isWhole ? servers.length === 0 && 'no connections' : 'no exact command';
  return { id: agent.id, servers: servers.flat(), fault };
}
