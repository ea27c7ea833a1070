import {
  AGENT_PAGE_PATH,
  CARDS_PER_PAGE,
  hashText,
  isAgentId,
  isCategoryId,
  isNarrowed,
  parseBrowseParams,
  parseCompared,
  parseShared,
  readManageAction,
  type Agent,
  type ManageAction,
  type Page,
  type SiteConfig,
} from '@agent-registry/contracts';
import type { QueryKey } from '@tanstack/react-query';
import { readStatus } from '../api/request-errors.ts';
import { withdrawnKey, type Api, type CacheEntry } from '../api/trpc.ts';
import { fetchFirstCards, toCard, toFacetsInput } from '../api/use-agent-list.ts';
import { MORE_AGENTS, pickMore, toAlikeRequest, toMoreRequest } from '../features/agent/MoreAgents.tsx';
import { sortCompared } from '../features/compare/use-compared.ts';
import { toVersionQuery } from '../features/compare/use-kept-versions.ts';
import {
  describeAgent,
  describeAgentNotFound,
  describeAgentWithdrawn,
  describeHome,
  describeInvalid,
  findInvalidPart,
  describePageNotFound,
  type PageDescription,
} from '../pages/page-head.tsx';
import { describeComparison, describeKept } from '../pages/describe-comparison.ts';
import { MAX_MARKS, type Site } from '../lib/site.ts';
import type { SocialMeta } from './social-meta.ts';

/** How long rendering waits for data, in milliseconds. The browser loads the rest. */
const DATA_TIMEOUT = 1_000;

export type PageData = SocialMeta & {
  status: 200 | 400 | 404 | 410;
  entries: CacheEntry[];
  /** The marks of the newest agents, for the home page with the whole list. */
  marks?: Site['marks'];
  isComplete: boolean;
};

// The paths of routes.tsx, which the thread that loads the data does without, as without all of React.
const homePath = new URLPattern({ pathname: '/' });
const agentPath = new URLPattern({ pathname: `${AGENT_PAGE_PATH}{/}?` });

export async function loadPageData(url: URL, api: Api, siteConfig: SiteConfig): Promise<PageData> {
  if (homePath.test(url)) return loadHome(url, api, siteConfig);
  const agent = agentPath.exec(url)?.pathname.groups;
  if (agent) {
    const action = readManageAction(url.searchParams);
    if (action === null) return toMessage(400, describeInvalid('Form', siteConfig));
    return loadAgent({ id: agent['id'] ?? '', action }, api, siteConfig);
  }
  return toMessage(404, describePageNotFound(siteConfig));
}

function toMessage(status: 400 | 404, description: PageDescription): PageData {
  return { status, entries: [], isComplete: true, description, agents: [] };
}

async function loadHome({ searchParams }: URL, api: Api, siteConfig: SiteConfig): Promise<PageData> {
  const compared = parseCompared(searchParams);
  if (compared.length > 0) return loadComparison(compared, api, siteConfig);
  const shared = parseShared(searchParams);
  if (shared) return loadShared(shared, api, siteConfig);
  const browseParams = parseBrowseParams(searchParams, siteConfig.categories);
  if (!browseParams) return toMessage(400, describeInvalid(findInvalidPart(searchParams, siteConfig), siteConfig));
  const facetsInput = toFacetsInput(browseParams);
  const hasMarks = !isNarrowed(browseParams);
  const [stats, list, facets, newest] = await Promise.all([
    withTimeout(api.client.stats.get.query()),
    withTimeout(fetchFirstCards(api, browseParams)),
    withTimeout(api.client.agents.facets.query(facetsInput)),
    hasMarks ? withTimeout(api.client.agents.list.query({ limit: MAX_MARKS })) : undefined,
  ]);
  return {
    status: 200,
    entries: [
      ...(stats ? [[api.queries.stats.get.queryOptions().queryKey, stats] as const] : []),
      ...(list ? [list.entry] : []),
      ...(facets ? [[api.queries.agents.facets.queryOptions(facetsInput).queryKey, facets] as const] : []),
    ],
    isComplete:
      stats !== undefined && list !== undefined && facets !== undefined && (!hasMarks || newest !== undefined),
    ...(newest && { marks: newest.agents.map(({ id, category }) => [hashText(id), category] as const) }),
    description: describeHome(browseParams, siteConfig),
    browseParams,
    agents: list?.agents.slice(0, CARDS_PER_PAGE) ?? [],
  };
}

async function loadComparison(ids: readonly string[], api: Api, siteConfig: SiteConfig): Promise<PageData> {
  const stats = loadEntry(api.queries.stats.get.queryOptions().queryKey, api.client.stats.get.query());
  const found = await Promise.all(ids.filter(isAgentId).map((id) => findAgent(id, api)));
  const statsEntry = await stats;
  const isComplete = found.every(({ agent }) => agent !== undefined);
  // The browser shows the agents once all are loaded.
  const agents = isComplete ? sortCompared(found.flatMap(({ agent }) => agent ?? [])) : [];
  return {
    status: 200,
    entries: [...(statsEntry ? [statsEntry] : []), ...found.flatMap(({ entries }) => entries)],
    isComplete: statsEntry !== undefined && isComplete,
    description: describeComparison(agents, siteConfig),
    agents,
  };
}

async function loadShared(ids: readonly string[], api: Api, siteConfig: SiteConfig): Promise<PageData> {
  const entries = await Promise.all([
    loadEntry(api.queries.stats.get.queryOptions().queryKey, api.client.stats.get.query()),
    ...ids.map((id) => {
      const { queryKey, queryFn } = toVersionQuery(api, id);
      return loadEntry(queryKey, queryFn());
    }),
  ]);
  const loaded = entries.filter((entry) => entry !== undefined);
  return {
    status: 200,
    entries: loaded,
    isComplete: loaded.length === entries.length,
    description: describeKept(ids, siteConfig),
    agents: [],
  };
}

async function loadAgent(
  { id, action }: { id: string; action: ManageAction | undefined },
  api: Api,
  siteConfig: SiteConfig,
): Promise<PageData> {
  const { agent, status, entries } = await findAgent(id, api);
  const parts = agent ? await loadParts(agent, api, siteConfig) : [];
  return {
    status,
    entries: [...entries, ...parts.filter((part) => part !== undefined)],
    isComplete: agent !== undefined && parts.every((part) => part !== undefined),
    description: agent
      ? describeAgent(agent, siteConfig, action)
      : status === 410
        ? describeAgentWithdrawn(siteConfig)
        : describeAgentNotFound(siteConfig),
    ...(agent && { agent }),
    agents: [],
  };
}

/** Loads an agent: null if there is none, undefined if that could not be found out. */
async function findAgent(id: string, { client, queries }: Api) {
  let status = 200 as 200 | 404 | 410;
  const agent = await withTimeout(
    client.agents.get.query({ id }).catch((error: unknown) => {
      status = toMissingStatus(error);
      return null;
    }),
  );
  const entries: CacheEntry[] = [
    // Null is cached too: the browser need not ask again for an agent that does not exist.
    ...(agent === undefined ? [] : [[queries.agents.get.queryOptions({ id }).queryKey, agent] as const]),
    ...(status === 410 ? [[withdrawnKey(id), true] as const] : []),
  ];
  return { agent, status, entries };
}

/** Loads what the page of an agent shows besides it; undefined for what could not be loaded. */
async function loadParts(
  agent: Agent,
  { client, queries }: Api,
  { categories }: SiteConfig,
): Promise<(CacheEntry | undefined)[]> {
  const { id, category } = agent;
  const history = client.agents.history.query({ id });
  const facts = client.agents.facts.query({ id });
  const parts = [
    loadEntry(queries.agents.history.queryOptions({ id }).queryKey, history),
    loadEntry(queries.agents.facts.queryOptions({ id }).queryKey, facts),
  ];
  // A removed category has no list.
  if (!isCategoryId(categories, category)) return Promise.all(parts);
  parts.push(loadEntry(queries.stats.get.queryOptions().queryKey, client.stats.get.query()));
  const request = toAlikeRequest(agent);
  // The page has the agent itself already.
  const closest = client.agents.search
    .query(request)
    .then(toCards)
    .then(({ agents, total }) => ({ agents: agents.filter((other) => other.id !== id), total }));
  parts.push(loadEntry(queries.agents.search.queryOptions(request).queryKey, closest));
  if (pickMore(agent, await withTimeout(closest)).length < MORE_AGENTS) {
    const newest = toMoreRequest(category);
    const found = client.agents.byCategory.query(newest).then(toCards);
    parts.push(loadEntry(queries.agents.byCategory.queryOptions(newest).queryKey, found));
  }
  return Promise.all(parts);
}

/** What cards show of a page: the words of a search would make the page of an agent longer. */
function toCards({ agents, total }: Page): Page {
  return { agents: agents.map(toCard), total };
}

async function loadEntry(key: QueryKey, data: Promise<unknown>): Promise<CacheEntry | undefined> {
  const loaded = await withTimeout(data);
  return loaded === undefined ? undefined : [key, loaded];
}

/** The status of the page of an agent that does not exist; other errors are thrown. */
function toMissingStatus(error: unknown): 404 | 410 {
  const status = readStatus(error);
  if (status === 410) return 410;
  if (status === 404 || status === 400) return 404;
  throw error;
}

/** Resolves to undefined if the data cannot be loaded in time. */
export function withTimeout<Result>(data: Promise<Result>): Promise<Result | undefined> {
  const timeout = new Promise<undefined>((resolve) => {
    AbortSignal.timeout(DATA_TIMEOUT).addEventListener('abort', () => resolve(undefined));
  });
  return Promise.race([data.catch(() => undefined), timeout]);
}
