import {
  AGENT_PAGE_PATH,
  AGENT_VIEW_PATH,
  API_REFERENCE_PATH,
  FEED_PATH,
  JSON_FEED_PATH,
  OPENAPI_PATH,
  toFeedPath,
  type BrowseParams,
} from '@agent-registry/contracts';
import type { FastifyInstance, RouteShorthandOptionsWithHandler } from 'fastify';
import { getAgent } from '../../agents/get-agent.ts';
import { createPathNotFoundError } from '../../http-error.ts';
import { readAgentId } from '../api/context.ts';
import type { ProducedResponse } from '../cache/entries.ts';
import { NO_STORE } from '../cache/response-cache.ts';
import { writeAgents, writeMarkdownPage } from '../machine/markdown/markdown-pages.ts';
import { writeAgent } from '../machine/markdown/write-agent.ts';
import { writeHome } from '../machine/markdown/write-home.ts';
import { prefersMarkdown, prefersType } from '../plugins/headers.ts';
import { registerForms } from './forms.ts';
import { redirectMended } from './mend-address.ts';
import { toHour } from './older-values.ts';
import { createPageRendering, toResponse, type Site } from './page-rendering.ts';
import { readAgentRequest, readHomeRequest, UNKNOWN_PATH, type HomePage } from './page-urls.ts';
import type { Surface } from '../api/surface.ts';

/** Paths that programs probe: they get one line of text, and people the page. */
const MACHINE_PATH = /^\/(?:\.well-known(?:[/?]|$)|v0)|^[^?]*\.(?:json|xml)(?:\?|$)/;
/** How long the home page may show an old number of views, in milliseconds. */
const VIEWS_LAG = 60_000;

/** Serves the pages, rendered on the server, and the registration form for browsers without scripts. */
export function registerPages(app: FastifyInstance, site: Site, surface: Surface): void {
  const { agents, cache, readVersion, readFactsVersion, toOrigin, siteConfig } = surface;
  const rendering = createPageRendering(site, surface);
  const { loadRenderer, renderPage, toRenderRequest } = rendering;
  const get = (path: string, route: RouteShorthandOptionsWithHandler) =>
    app.get(path, { ...route, onRequest: redirectMended });

  get(
    '/',
    cache.route<ReturnType<typeof readHomeRequest>>({
      readVersion: (page) => readHomeVersion(surface, page),
      readKind: 'page',
      isRendered: true,
      parse: (request) => readHomeRequest(request, siteConfig.categories),
      originOf: toOrigin,
      async produce(request, { path, compared, shared = compared, list, isMarkdown }) {
        const title = compared ? 'Compare Agents' : 'Shared List';
        const page =
          isMarkdown && shared
            ? await writeMarkdownPage(surface, request, (context) => writeAgents(context, title, { path, ids: shared }))
            : isMarkdown && list
              ? await writeMarkdownPage(surface, request, (context) => writeHome(context, list))
              : await renderPage(request, path);
        return negotiated(page, list && toLinkHeader(list));
      },
    }),
  );
  const agentPage = cache.route({
    // What is known of an agent, and how many days ago it was added, is renewed every hour.
    async readVersion({ id, path }, others) {
      // Markdown and data are cheap to write, and name other agents.
      if (path === undefined) return readFactsVersion();
      const versions = await agents.versionsOf(id === undefined ? others : [id, ...others]);
      return [toHour(), ...versions].join(' ');
    },
    readKind: 'page',
    isRendered: true,
    parse: readAgentRequest,
    originOf: toOrigin,
    async produce(request, { id, path }) {
      if (path !== undefined) return negotiated(await renderPage(request, path));
      const page = await writeMarkdownPage(surface, request, (context) => writeAgent(context, id));
      return negotiated({ ...page, viewOf: id });
    },
  });
  // The page's own router ignores a slash at the end.
  for (const path of [AGENT_PAGE_PATH, `${AGENT_PAGE_PATH}/`]) get(path, agentPage);
  get(
    '/*',
    cache.route({
      readVersion,
      readKind: 'page',
      isRendered: true,
      parse({ raw, url }) {
        const isForPrograms = MACHINE_PATH.test(url) && !prefersType(raw, ['text/html'], 'text/plain');
        if (isForPrograms || prefersMarkdown(raw)) throw createPathNotFoundError();
      },
      originOf: toOrigin,
      async produce(request) {
        const renderer = await loadRenderer();
        const page = await renderer.renderPage(toRenderRequest(request, UNKNOWN_PATH));
        return negotiated({ ...toResponse(page), isReusable: page.isComplete });
      },
    }),
  );
  // Counts the view of an agent once its page is shown, whichever cache it comes from.
  app.post(AGENT_VIEW_PATH, { config: { rateLimit: 'read' } }, async (request, reply) => {
    const id = readAgentId(request);
    await getAgent(agents, id);
    surface.countView(request, id);
    return reply.code(204).header('cache-control', NO_STORE).send();
  });
  app.register(async (scope) => registerForms(scope, surface, rendering));
}

async function readHomeVersion(
  { agents, readVersion }: Surface,
  { path, compared, shared = compared, list }: HomePage,
): Promise<string> {
  // A page is not rendered again because a view was counted.
  if (path === '/') return `${await readVersion()}.${Math.floor(Date.now() / VIEWS_LAG)}`;
  const shown = shared
    ? (await agents.versionsOf(shared)).join(' ')
    : await (list?.category === undefined ? readVersion() : agents.versionOfCategory(list.category));
  return `${toHour()} ${shown}`;
}

function negotiated(page: ProducedResponse, link?: string): ProducedResponse {
  return { ...page, headers: { ...page.headers, vary: 'Accept', ...(link !== undefined && { link }) } };
}

/** The API, and the feeds of a list (RFC 8288, RFC 8631); not of a search, whose text can be too long for a header. */
function toLinkHeader(list: BrowseParams): string {
  const isSearch = list.category === undefined && list.text !== '';
  const links = [
    [OPENAPI_PATH, 'service-desc', 'application/json'],
    [API_REFERENCE_PATH, 'service-doc', 'text/html'],
    ...(isSearch
      ? []
      : [
          [toFeedPath(FEED_PATH, list), 'alternate', 'application/atom+xml'],
          [toFeedPath(JSON_FEED_PATH, list), 'alternate', 'application/feed+json'],
        ]),
  ];
  return links.map(([path, relation, type]) => `<${path}>; rel="${relation}"; type="${type}"`).join(', ');
}
