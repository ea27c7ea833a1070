import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AGENT_PAGE_PATH, endpoints, type RegistrationMode, type SiteConfig } from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AgentStore } from '../../agents/agent-store.ts';
import { inTime } from '../../in-time.ts';
import { createPathNotFoundError, toHttpError } from '../../http-error.ts';
import { logError } from '../../observability/log-error.ts';
import { createTaskQueue } from '../../rate-limit/task-queue.ts';
import type { RunProcedure } from '../../router.ts';
import { NO_STORE, type Context } from '../../trpc.ts';
import type { CreateContext } from '../api/context.ts';
import { refuseUnknownPath } from '../api/rest.ts';
import { toLinkHeader } from '../machine/link-header.ts';
import { createMarkdownPages } from '../machine/markdown/markdown-pages.ts';
import { prefersMarkdown } from '../machine/markdown/prefers-markdown.ts';
import type { ProducedResponse, ReadVersion, ResponseCache } from '../cache/response-cache.ts';
import { signalOf } from '../plugins/connection.ts';
import { brandTemplate } from './branding.ts';
import { registerForms } from './forms.ts';
import type { CallResult, MarkupInput, PageRenderer, RenderedPage, RenderRequest } from './page-renderer.ts';
import { isInvalidPath, readAgentRequest, readHomePage, readHomeRequest, UNKNOWN_PATH } from './page-urls.ts';
import { createFactsVersion } from '../../stats/stats-version.ts';
import { createWorkerPool } from './worker-pool.ts';

/** The built web app. */
export type Site = {
  /** Its folder. */
  webDir: string;
  /** The HTML into which pages are rendered. */
  template: string;
  /** The URL of the renderer's file. */
  rendererUrl: string;
};

/** Options of `registerPages`. */
export type PagesOptions = {
  siteConfig: SiteConfig;
  agents: Pick<AgentStore, 'count'>;
  createContext: CreateContext;
  runProcedure: RunProcedure;
  cache: ResponseCache;
  /** The version of the agents, which every page shows. */
  readVersion: ReadVersion;
  registration: RegistrationMode;
  /** Where visitors reach the registry, such as `https://registry.example`. */
  toOrigin: (request: FastifyRequest) => string;
  /** The URL of the ARD manifest; undefined without one. */
  ardUrl?: string | undefined;
  /** Renders the markup of a page; the renderer in a worker thread by default. */
  renderMarkup?: PageRenderer['renderMarkup'] | undefined;
};

/** How long the home page may show an old number of views, in milliseconds. */
const VIEWS_LAG = 60_000;
/** How many pages are rendered at once: each takes a processor. */
const MAX_RENDERINGS = 1;
/** The heap of the worker thread. */
const WORKER_HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 96 };

/** Opens the built web app; undefined when it is not built. */
export function openSite(webDir: string, siteConfig: SiteConfig): Site | undefined {
  const page = join(webDir, 'index.html');
  const entry = join(webDir, 'server', 'entry-server.js');
  if (!existsSync(page) || !existsSync(entry)) return undefined;
  const template = brandTemplate(readFileSync(page, 'utf8'), siteConfig);
  return { webDir, template, rendererUrl: pathToFileURL(entry).href };
}

/** Serves the pages, rendered on the server, and the registration form for browsers without scripts. */
export function registerPages(app: FastifyInstance, site: Site, options: PagesOptions): void {
  const { template, rendererUrl } = site;
  // Imported with the first page, since it takes much memory.
  const loadRenderer = () => import(rendererUrl) as Promise<PageRenderer>;
  const { agents, createContext, runProcedure, cache, readVersion, registration, toOrigin, siteConfig, ardUrl } =
    options;
  const { renderMarkup = createWorkerRenderer(app, site) } = options;
  const runInTurn = createTaskQueue(MAX_RENDERINGS);
  const markdownPages = createMarkdownPages({ siteConfig, createContext, runProcedure, toOrigin });

  app.get(
    '/',
    cache.route({
      // A page is not rendered again because a view was counted.
      readVersion: async () => `${await readVersion()}.${Math.floor(Date.now() / VIEWS_LAG)}`,
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
    isRendered: true,
    parse: readAgentRequest,
    originOf: toOrigin,
    async produce(request, { id, path, viewed }) {
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
      isRendered: true,
      parse({ raw }) {
        if (prefersMarkdown(raw)) throw createPathNotFoundError();
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

  /** Renders the page of a request. It may be sent again if all its data may. */
  async function renderPage(request: FastifyRequest, url: string): Promise<ProducedResponse> {
    const renderRequest = toRenderRequest(request, url);
    let isReusable = true;
    const renderer = await loadRenderer();
    const page = await renderer.renderPage({
      ...renderRequest,
      async call(procedure, input) {
        const result = await renderRequest.call(procedure, input);
        if ('headers' in result && result.headers.get('Cache-Control') === NO_STORE) isReusable = false;
        return result;
      },
    });
    const response = toResponse({ ...page, isComplete: page.isComplete && isReusable });
    return { ...response, isReusable: response.isReusable || isInvalidPath(url) };
  }

  /** A request for the page at a canonical URL; `own` replaces parts of the context of its calls. */
  function toRenderRequest(
    request: FastifyRequest,
    url: string,
    own: Partial<Context> = {},
    keyOfReads?: string,
  ): RenderRequest {
    return {
      url,
      origin: toOrigin(request),
      ardUrl,
      template,
      siteConfig,
      registration,
      call: (procedure, input) => call(procedure, input),
      countAgents: () => inTime(agents.count(), request.deadline),
      renderMarkup: (input) => runInTurn(() => renderMarkup(input), { address: request.ip, signal: signalOf(request) }),
    };

    async function call(...[procedure, input]: Parameters<RenderRequest['call']>): Promise<CallResult> {
      try {
        const context = { ...createContext(request), ...own };
        // A page looks the same to everybody; only a form with a key is answered with what its owner reads.
        if (endpoints[procedure].method === 'GET') context.key = keyOfReads;
        // The page is the view, not the calls that it is made of.
        const { body: data, headers, status } = await runProcedure(procedure, context, input);
        return { data, headers: new Headers(headers), status };
      } catch (error) {
        logError(error as Error, request);
        return { failure: toHttpError(error as Error) };
      }
    }
  }
}

/** Renders in a worker thread, so that other requests need not wait. It starts with the first page. */
function createWorkerRenderer(app: FastifyInstance, { rendererUrl }: Site): PageRenderer['renderMarkup'] {
  return createWorkerPool<MarkupInput, string>(app, {
    filename: rendererUrl,
    name: 'renderMarkup',
    maxThreads: MAX_RENDERINGS,
    // The thread is kept: it takes a while to start.
    idleTimeout: Infinity,
    resourceLimits: WORKER_HEAP,
  });
}

function toResponse({ status, html, isComplete }: RenderedPage) {
  const isReusable = isComplete && status === 200;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...(!isReusable && { 'cache-control': NO_STORE }),
    },
    body: html,
    isReusable,
  } satisfies ProducedResponse;
}

/** A page that depends on `Accept`, with a `Link` header if it has one. */
function negotiated(page: ProducedResponse, link?: string): ProducedResponse {
  return { ...page, headers: { ...page.headers, vary: 'Accept', ...(link !== undefined && { link }) } };
}
