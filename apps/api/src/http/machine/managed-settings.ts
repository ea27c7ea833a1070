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

/** Names the entries that are not in the list, each with the reason. */
const LEFT_OUT = 'X-Left-Out';

type Settings = { allowed: AllowedServer[]; leftOut: string[] };

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
      parse: ({ query }) => parseAllowing(query as Record<string, string | string[]>, siteConfig, registration),
      async produce(request, { kept, list }) {
        const reads = readsOf(request);
        const { allowed, leftOut } = kept ? await allowKept(agents, kept) : await allowReleased(agents, reads, list);
        const servers = [...new Set(allowed.map((server) => JSON.stringify(server)))].toSorted(compareTexts);
        return {
          headers: {
            'content-type': 'application/json; charset=utf-8',
            ...(leftOut.length > 0 && { [LEFT_OUT]: leftOut.join(', ') }),
          },
          body: `{"allowManagedMcpServersOnly": true, "allowedMcpServers": [\n${servers.join(',\n')}\n]}\n`,
        };
      },
    }),
  );
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : 1;
}

function parseAllowing(
  query: Record<string, string | string[]>,
  { categories }: SiteConfig,
  registration: RegistrationMode,
): Allowing {
  const params = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) for (const value of [values].flat()) params.append(name, value);
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

async function allowKept(agents: Surface['agents'], kept: readonly { id: string; hash: string }[]): Promise<Settings> {
  const found = await Promise.all(
    kept.map(async ({ id, hash }): Promise<Settings> => {
      const agent = await agents.find(id);
      const { connections } = agent ?? {};
      if (!agent) return leaveOut(id, 'not listed');
      if (!connections) return leaveOut(id, 'no connections');
      return (await hashConnections(connections)) === hash ? allow(agent) : leaveOut(id, 'changed');
    }),
  );
  return join(found);
}

async function allowReleased(agents: Surface['agents'], { read }: PublicReads, list: BrowseParams): Promise<Settings> {
  const { category } = list;
  const page = { ...pickFilters(list), limit: MAX_PAGE_SIZE };
  const found = await (category === undefined
    ? read('agents.list', page)
    : read('agents.byCategory', { ...page, category }));
  if (found.next !== undefined) {
    throw refuse('More agents match than one page holds; the filters must leave fewer');
  }
  const released = await agents.findReleased(found.agents.map(({ id }) => id));
  const settings = join(found.agents.filter(({ id }) => released.has(id)).map(allow));
  if (settings.allowed.length > 0) return settings;
  throw new RegistryError('not-found', 'No released agent that these filters leave has an MCP server');
}

function allow(agent: Omit<ListedAgent, 'contactEmail'>): Settings {
  const { servers, isWhole } = listAllowed(agent);
  if (servers.length === 0) return leaveOut(agent.id, isWhole ? 'no connections' : 'no exact command');
  return { allowed: servers.flat(), leftOut: isWhole ? [] : [`${agent.id} (no exact command)`] };
}

function leaveOut(id: string, reason: string): Settings {
  return { allowed: [], leftOut: [`${id} (${reason})`] };
}

function join(settings: readonly Settings[]): Settings {
  return { allowed: settings.flatMap(({ allowed }) => allowed), leftOut: settings.flatMap(({ leftOut }) => leftOut) };
}
