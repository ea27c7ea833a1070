import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endpoints, type SiteConfig } from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toHttpError } from '../../http-error.ts';
import { inTime } from '../../database-error.ts';
import { logError } from '../../observability/logger.ts';
import { networkOf } from '../../rate-limit/rate-limiter.ts';
import { createTaskQueue } from '../../rate-limit/task-queue.ts';
import { OverloadError } from '../../registry-error.ts';
import type { Context } from '../../trpc.ts';
import { ARD_MANIFEST_PATH } from '../ard/entries.ts';
import type { ProducedResponse } from '../cache/entries.ts';
import { NO_STORE } from '../cache/response-cache.ts';
import { signalOf } from '../plugins/connection.ts';
import { brandTemplate } from './branding.ts';
import type {
  CallResult,
  MarkupInput,
  PageRenderer,
  RenderedPage,
  RenderMarkup,
  RenderRequest,
} from './page-renderer.ts';
import { createOlderValues } from './older-values.ts';
import { isInvalidPath } from './page-urls.ts';
import { createWorkerPool, TaskEndedError } from '../../worker-pool.ts';
import type { Surface } from '../api/surface.ts';

export type Site = {
  webDir: string;
  template: string;
  /** The URL of the file that makes pages of their data and their markup. */
  rendererUrl: string;
  renderMarkup: RenderMarkup;
};

const MAX_RENDERINGS = 1;
/** How long no page is rendered for a client whose page was ended, in milliseconds. */
const PAUSE = 10_000;

export function openSite(
  app: FastifyInstance,
  webDir: string,
  { siteConfig, renderMarkup }: { siteConfig: SiteConfig; renderMarkup?: RenderMarkup | undefined },
): Site | undefined {
  const page = join(webDir, 'index.html');
  const entry = join(webDir, 'server', 'entry-server.js');
  if (!existsSync(page) || !existsSync(entry)) return undefined;
  const template = brandTemplate(readFileSync(page, 'utf8'), siteConfig);
  return {
    webDir,
    template,
    rendererUrl: pathToFileURL(entry).href,
    renderMarkup: renderMarkup ?? createWorkerRenderer(app, webDir),
  };
}

export type PageRendering = ReturnType<typeof createPageRendering>;

export function createPageRendering({ template, rendererUrl, renderMarkup }: Site, surface: Surface) {
  const { agents, createContext, runProcedure, registration, toOrigin, siteConfig, publicUrl } = surface;
  const runInTurn = createTaskQueue(MAX_RENDERINGS);
  const pausedClients = new Set<string>();
  const withOlderValues = createOlderValues();
  return { loadRenderer, renderPage, toRenderRequest };

  function loadRenderer(): Promise<PageRenderer> {
    return import(rendererUrl) as Promise<PageRenderer>;
  }

  async function renderPage(request: FastifyRequest, url: string): Promise<ProducedResponse> {
    const renderer = await loadRenderer();
    const renderRequest = toRenderRequest(request, url);
    const { others, call } = withOlderValues(request, url, createContext(request).agents, renderRequest.call);
    const response = toResponse(await renderer.renderPage({ ...renderRequest, call }));
    return { ...response, others, isReusable: response.isReusable || isInvalidPath(url) };
  }

  async function renderForClient(address: string, input: MarkupInput): Promise<string> {
    const network = networkOf(address);
    if (pausedClients.has(network)) throw new OverloadError('A page of the client took too long');
    try {
      return await renderMarkup(input);
    } catch (error) {
      if (error instanceof TaskEndedError) {
        pausedClients.add(network);
        setTimeout(() => pausedClients.delete(network), PAUSE).unref();
      }
      throw error;
    }
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
      ardUrl: publicUrl && publicUrl + ARD_MANIFEST_PATH,
      template,
      siteConfig,
      registration,
      call: (procedure, input) => call(procedure, input),
      countAgents: () => inTime(agents.count(), request.deadline),
      renderMarkup: (input) =>
        runInTurn(() => renderForClient(request.ip, input), { address: request.ip, signal: signalOf(request) }),
    };

    async function call(...[procedure, input]: Parameters<RenderRequest['call']>): Promise<CallResult> {
      try {
        const context = { ...createContext(request), ...own };
        // A page looks the same to everybody; only a form with a key is answered with what its owner reads.
        if (endpoints[procedure].method === 'GET') context.key = keyOfReads;
        // The page is the view, not the calls that it is made of.
        const { value: data, isHeld, refusal } = await runProcedure(procedure, context, input);
        return { data, isHeld, refusal };
      } catch (error) {
        logError(error as Error, request);
        return { failure: toHttpError(error as Error) };
      }
    }
  }
}

/** Renders in a worker thread, which alone loads React. It starts with the first page and ends when idle. */
function createWorkerRenderer(app: FastifyInstance, webDir: string): RenderMarkup {
  return createWorkerPool<MarkupInput, string>(app, {
    filename: pathToFileURL(join(webDir, 'server', 'render-markup.js')).href,
    name: 'renderMarkup',
    maxThreads: MAX_RENDERINGS,
    // In milliseconds; a usual page takes less than 50.
    processorLimit: 2_000,
    idleTimeout: 30_000,
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
  });
}

export function toResponse({ status, html, isComplete }: RenderedPage) {
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
