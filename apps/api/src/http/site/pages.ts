import {
  AGENT_PAGE_PATH,
  API_REFERENCE_PATH,
  describeSoftware,
  FEED_PATH,
  JSON_FEED_PATH,
  OPENAPI_PATH,
  STRUCTURED_DATA_TYPE,
  toFeedPath,
  type BrowseParams,
} from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createPathNotFoundError } from '../../http-error.ts';
import { inTime } from '../../in-time.ts';
import type { ReadsOf } from '../api/public-reads.ts';
import { refuseUnknownPath } from '../api/rest.ts';
import type { ProducedResponse } from '../cache/entries.ts';
import type { ReadVersion, ResponseCache } from '../cache/response-cache.ts';
import { createMarkdownPages } from '../machine/markdown/markdown-pages.ts';
import { prefersMarkdown } from '../machine/markdown/prefers-markdown.ts';
import { prefersType } from '../plugins/negotiation.ts';
import { registerForms } from './forms.ts';
import { createPageRendering, toResponse, type RenderingOptions, type Site } from './page-rendering.ts';
import { readAgentRequest, readHomePage, readHomeRequest, UNKNOWN_PATH } from './page-urls.ts';

const HOUR = 3_600_000;

export type PagesOptions = RenderingOptions & {
  readsOf: ReadsOf;
  cache: ResponseCache;
  /** The version of the agents, which every page shows. */
  readVersion: ReadVersion;
};

/** Paths that programs probe: they get one line of text, and people the page. */
const MACHINE_PATH = /^\/(?:\.well-known(?:[/?]|$)|v0)|^[^?]*\.(?:json|xml)(?:\?|$)/;

/** How long the home page may show an old number of views, in milliseconds. */
const VIEWS_LAG = 60_000;

/** Serves the pages, rendered on the server, and the registration form for browsers without scripts. */
export function registerPages(app: FastifyInstance, site: Site, options: PagesOptions): void {
  const { createContext, readsOf, cache, readVersion, toOrigin, siteConfig } = options;
  const { loadRenderer, renderPage, toRenderRequest } = createPageRendering(app, site, options);
  const markdownPages = createMarkdownPages({ siteConfig, readsOf, toOrigin });

  app.get(
    '/',
    cache.route({
      // A page is not rendered again because a view was counted.
      readVersion: async () => `${await readVersion()}.${Math.floor(Date.now() / VIEWS_LAG)}`,
      readKind: 'page',
      isRendered: true,
      parse: (request) => readHomeRequest(request, siteConfig.categories),
      originOf: toOrigin,
      async produce(request, { path, compared, list, isMarkdown }) {
        const page =
          isMarkdown && compared
            ? await markdownPages.compare(request, compared)
            : isMarkdown && list
              ? await markdownPages.home(request, list)
              : await renderPage(request, path);
        return negotiated(page, list && toLinkHeader(list));
      },
    }),
  );
  const agentPage = cache.route({
    // The page says how many days ago the agent was added, and what is known of it.
    readVersion: createFactsVersion(readVersion),
    readKind: 'page',
    isRendered: true,
    parse: readAgentRequest,
    originOf: toOrigin,
    async produce(request, { id, isData, path, viewed }) {
      if (isData) return negotiated(await describeAgent(request, id));
      if (id !== undefined) return negotiated(await markdownPages.agent(request, id));
      const page = await renderPage(request, path);
      // An incomplete page has no agent; the browser loads it, and that call is the view.
      return negotiated({ ...page, viewOf: page.isReusable === true ? viewed : undefined });
    },
  });
  // The page's own router ignores a slash at the end.
  for (const path of [AGENT_PAGE_PATH, `${AGENT_PAGE_PATH}/`]) app.get(path, agentPage);
  app.get(
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
  app.setNotFoundHandler(refuseUnknownPath);

  async function describeAgent(request: FastifyRequest, id: string): Promise<ProducedResponse> {
    const agent = await readsOf(request).read('agents.get', { id });
    const data = describeSoftware(agent, toOrigin(request), siteConfig.categories);
    return { headers: { 'content-type': STRUCTURED_DATA_TYPE }, body: JSON.stringify(data), viewOf: id };
  }

  app.register(async (scope) => {
    registerForms(scope, {
      loadRenderer,
      siteConfig,
      async findTellingWords(request, text) {
        const found = await inTime(createContext(request).agents.search({ text, limit: 1 }), request.deadline);
        // The search to which the form redirects is counted.
        request.emptySearches = 0;
        return found?.telling ?? [];
      },
      toOrigin,
      toListPath: (request) => readHomePage(request, siteConfig.categories).path,
      toRenderRequest,
      sendPage(reply, page) {
        const { status, headers, body } = toResponse(page);
        return reply.code(status).headers(headers).send(body);
      },
    });
  });
}

/** A page that depends on `Accept`, with a `Link` header if it has one. */
function negotiated(page: ProducedResponse, link?: string): ProducedResponse {
  return { ...page, headers: { ...page.headers, vary: 'Accept', ...(link !== undefined && { link }) } };
}

/**
 * The `Link` header of the home page with a list (RFC 8288, RFC 8631): the API, and the feeds of the list. Those of a
 * search are in the page only: its text can be longer than all headers that a proxy accepts.
 */
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

/** Reads the version of the facts of entries, which changes with every change of an agent and every hour. */
export function createFactsVersion(readVersion: ReadVersion): ReadVersion {
  return async () => `${await readVersion()}.${Math.floor(Date.now() / HOUR)}`;
}
