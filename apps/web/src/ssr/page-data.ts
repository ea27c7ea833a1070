import {
  AGENT_PAGE_PATH,
  CARDS_PER_PAGE,
  isCategoryId,
  isNarrowed,
  parseBrowseParams,
  parseCompared,
  parseShared,
  readManageAction,
  toFacetsRequest,
  type Agent,
  type ManageAction,
  type Page,
  type SiteConfig,
} from '@agent-registry/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { toAgentQuery, type Api } from '../api/trpc.ts';
import { toCard, toFirstCardsQuery } from '../api/use-agent-list.ts';
import { toLatestChangesQuery } from '../features/agent/History.tsx';
import { MORE_AGENTS, pickMore, toAlikeRequest, toMoreRequest } from '../features/agent/MoreAgents.tsx';
import { toCardQuery } from '../features/compare/use-chosen-agents.ts';
import { toMarksQuery } from '../features/hero/Hero.tsx';
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
import { describeComparison, describeKept } from '../pages/ChosenPage.tsx';
import type { SocialMeta } from './social-meta.ts';

/** How long rendering waits for data, in milliseconds. The browser loads the rest. */
const DATA_TIMEOUT = 1_000;

export type PageData = SocialMeta & { status: 200 | 400 | 404 | 410 };

// The paths of routes.tsx, which the thread that loads the data does without, as without all of React.
const homePath = new URLPattern({ pathname: '/' });
const agentPath = new URLPattern({ pathname: `${AGENT_PAGE_PATH}{/}?` });

type Loader = { api: Api; queryClient: QueryClient; siteConfig: SiteConfig };

/** Loads the data of a page into the query cache, in which what could not be loaded in time has none. */
export async function loadPageData(url: URL, loader: Loader): Promise<PageData> {
  const { siteConfig } = loader;
  if (homePath.test(url)) return loadHome(url, loader);
  const agent = agentPath.exec(url)?.pathname.groups;
  if (!agent) return toMessage(404, describePageNotFound(siteConfig));
  const action = readManageAction(url.searchParams);
  if (action === null) return toMessage(400, describeInvalid('Form', siteConfig));
  return loadAgent({ id: agent['id'] ?? '', action }, loader);
}

function toMessage(status: PageData['status'], description: PageDescription): PageData {
  return { status, description, agents: [] };
}

async function loadHome({ searchParams }: URL, loader: Loader): Promise<PageData> {
  const { api, queryClient, siteConfig } = loader;
  const compared = parseCompared(searchParams);
  if (compared.length > 0) return loadComparison(compared, loader);
  const shared = parseShared(searchParams);
  if (shared) {
    await Promise.all([
      withTimeout(api.queries.stats.get.fetch()),
      ...shared.map((id) => withTimeout(queryClient.fetchQuery(toCardQuery(api, id)))),
    ]);
    return toMessage(200, describeKept(shared, siteConfig));
  }
  const browseParams = parseBrowseParams(searchParams, siteConfig.categories);
  if (!browseParams) return toMessage(400, describeInvalid(findInvalidPart(searchParams, siteConfig), siteConfig));
  const [, list] = await Promise.all([
    withTimeout(api.queries.stats.get.fetch()),
    withTimeout(queryClient.fetchQuery(toFirstCardsQuery(api, browseParams))),
    withTimeout(api.queries.agents.facets.fetch(toFacetsRequest(browseParams))),
    isNarrowed(browseParams) ? undefined : withTimeout(queryClient.fetchQuery(toMarksQuery(api))),
  ]);
  return {
    status: 200,
    description: describeHome(browseParams, siteConfig),
    browseParams,
    // Home itself lists others after each registration.
    agents: (isNarrowed(browseParams) && list?.pages[0]?.agents.slice(0, CARDS_PER_PAGE)) || [],
  };
}

async function loadComparison(ids: readonly string[], loader: Loader): Promise<PageData> {
  const { api, queryClient, siteConfig } = loader;
  const [, ...versions] = await Promise.all([
    withTimeout(api.queries.stats.get.fetch()),
    ...ids.map((id) => withTimeout(queryClient.fetchQuery(toAgentQuery(api, id)))),
  ]);
  // The browser shows the agents once all are loaded.
  const agents = versions.includes(undefined) ? [] : versions.filter((version) => typeof version === 'object');
  return { status: 200, description: describeComparison(agents, siteConfig), agents };
}

type AgentRequest = { id: string; action: ManageAction | undefined };

async function loadAgent({ id, action }: AgentRequest, loader: Loader): Promise<PageData> {
  const { api, queryClient, siteConfig } = loader;
  const version = await withTimeout(queryClient.fetchQuery(toAgentQuery(api, id)));
  if (version === 'unknown') return toMessage(404, describeAgentNotFound(siteConfig));
  if (version === 'withdrawn') return toMessage(410, describeAgentWithdrawn(siteConfig));
  if (!version) return toMessage(200, describeAgentNotFound(siteConfig));
  await loadParts(version, loader);
  return { status: 200, description: describeAgent(version, siteConfig, action), agent: version, agents: [] };
}

/** Loads what the page of an agent shows besides it. */
async function loadParts(agent: Agent, { api, queryClient, siteConfig }: Loader): Promise<void> {
  const { client, queries } = api;
  const { id, category } = agent;
  const parts: Promise<unknown>[] = [
    withTimeout(queryClient.fetchQuery(toLatestChangesQuery(api, id))),
    withTimeout(queries.agents.facts.fetch({ id })),
  ];
  if (isCategoryId(siteConfig.categories, category)) {
    parts.push(withTimeout(queries.stats.get.fetch()));
    const request = toAlikeRequest(agent);
    const closest = await withTimeout(
      queryClient.fetchQuery({
        queryKey: queries.agents.search.queryOptions(request).queryKey,
        queryFn: async () => {
          const { agents, total } = toCards(await client.agents.search.query(request));
          // The page has the agent itself already.
          return { agents: agents.filter((other) => other.id !== id), total };
        },
      }),
    );
    if (pickMore(agent, closest).length < MORE_AGENTS) {
      const newest = toMoreRequest(category);
      const { queryKey } = queries.agents.byCategory.queryOptions(newest);
      const queryFn = async () => toCards(await client.agents.byCategory.query(newest));
      parts.push(withTimeout(queryClient.fetchQuery({ queryKey, queryFn })));
    }
  }
  await Promise.all(parts);
}

/** What cards show of a page: the words of a search would make the page of an agent longer. */
function toCards({ agents, total }: Page): Page {
  return { agents: agents.map(toCard), total };
}

export function withTimeout<Result>(data: Promise<Result>): Promise<Result | undefined> {
  const timeout = new Promise<undefined>((resolve) => {
    AbortSignal.timeout(DATA_TIMEOUT).addEventListener('abort', () => resolve(undefined));
  });
  return Promise.race([data.catch(() => undefined), timeout]);
}
