import { AGENT_PAGE_PATH } from '@agent-registry/contracts';
import { matchRoutes } from 'react-router-dom';
import { readFirstCards } from '../api/use-agent-list.ts';
import { parseBrowseParams } from '../navigation/browse-params.ts';
import { readStatus } from '../api/request-errors.ts';
import type { SocialMeta } from './social-meta.ts';
import { agentNotFound, describeAgent, describeHome, pageNotFound } from '../pages/page-head.tsx';
import { routes } from '../routes.tsx';
import type { Api, CacheEntry } from '../api/trpc.ts';

/** How long a page waits for its data, in milliseconds; the browser reads what is not there by then. */
const MAX_WAIT = 1_000;

/** What a page is rendered with on the server. */
export type PageData = SocialMeta & {
  status: 200 | 404;
  entries: CacheEntry[];
  /** Whether all could be read. */
  isComplete: boolean;
};

/** Reads what the page at an address shows at first. */
export async function readPageData(url: URL, api: Api): Promise<PageData> {
  const match = matchRoutes(routes, url)?.at(-1);
  if (match?.route.path === '/') return readHome(url, api);
  if (match?.route.path === AGENT_PAGE_PATH) return readAgent(match.params.id ?? '', api);
  return { status: 404, entries: [], isComplete: true, description: pageNotFound, agents: [] };
}

async function readHome({ searchParams }: URL, api: Api): Promise<PageData> {
  const browseParams = parseBrowseParams(searchParams);
  const [stats, list] = await Promise.all([
    inTime(api.client.stats.get.query()),
    inTime(readFirstCards(api, browseParams)),
  ]);
  return {
    status: 200,
    entries: [
      ...(stats ? [[api.queries.stats.get.queryOptions().queryKey, stats] as const] : []),
      ...(list ? [list.entry] : []),
    ],
    isComplete: stats !== undefined && list !== undefined,
    description: describeHome(browseParams),
    browseParams,
    agents: list?.agents ?? [],
  };
}

async function readAgent(id: string, { client, queries }: Api): Promise<PageData> {
  const agent = await inTime(client.agents.get.query({ id }).catch(toNoAgent));
  return {
    status: agent === null ? 404 : 200,
    // No agent is an answer too, which the browser need not ask for again.
    entries: agent === undefined ? [] : [[queries.agents.get.queryOptions({ id }).queryKey, agent]],
    isComplete: agent !== undefined,
    description: agent ? describeAgent(agent) : agentNotFound,
    agents: agent ? [agent] : [],
  };
}

/** @returns null where the registry has no such agent; any other failure is passed on */
function toNoAgent(error: unknown): null {
  const status = readStatus(error);
  if (status === 404 || status === 400) return null;
  throw error;
}

/** What a read gives; undefined when it fails or takes too long. */
export function inTime<Result>(read: Promise<Result>): Promise<Result | undefined> {
  const late = new Promise<undefined>((resolve) => {
    AbortSignal.timeout(MAX_WAIT).addEventListener('abort', () => resolve(undefined));
  });
  return Promise.race([read.catch(() => undefined), late]);
}
