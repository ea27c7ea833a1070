import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import { defaultSiteConfig } from '@agent-registry/contracts';
import { defaultConfig, MEBIBYTE, type Config } from './config.ts';
import { createContexts, createRunProcedure } from './http/api/context.ts';
import { createPublicReads } from './http/api/public-reads.ts';
import { registerOpenApi, registerRest } from './http/api/rest.ts';
import { registerTrpc } from './http/api/trpc.ts';
import { registerResponseCache } from './http/cache/response-cache.ts';
import { registerPublicResponses } from './http/cache/send-entry.ts';
import { registerArd } from './http/ard/ard.ts';
import { registerBadges } from './http/machine/badge.ts';
import { registerLlmsTxt } from './http/machine/llms-txt.ts';
import { registerManagedSettings } from './http/machine/managed-settings.ts';
import { registerPublishSkill } from './http/machine/publish-skill.ts';
import { registerReference } from './http/machine/reference.ts';
import { registerMcpRegistry } from './http/mcp-registry/mcp-registry.ts';
import { explainPublishing, registerPublisher } from './http/publisher/publisher.ts';
import { registerMcp } from './http/mcp/mcp.ts';
import { registerBodyParsers } from './http/plugins/body-parsers.ts';
import {
  registerDeadline,
  registerServerLimits,
  createServer,
  registerLoadShedding,
} from './http/plugins/create-server.ts';
import { registerErrorHandler } from './http/plugins/error-handler.ts';
import { registerHealth } from './http/plugins/health.ts';
import {
  originOf,
  registerCors,
  registerHost,
  registerRequestIds,
  registerSecurityHeaders,
} from './http/plugins/headers.ts';
import { registerRateLimits } from './http/plugins/rate-limits.ts';
import { defaultSlowClientLimits, registerSlowClients, type SlowClientLimits } from './http/plugins/slow-clients.ts';
import { brandedFiles, registerBranding } from './http/site/branding.ts';
import type { RenderMarkup } from './http/site/page-renderer.ts';
import { openSite, type Site } from './http/site/page-rendering.ts';
import { registerFeeds } from './http/site/feeds.ts';
import { registerOgImages } from './http/site/og-images.ts';
import { toHour } from './http/site/older-values.ts';
import { registerPages } from './http/site/pages.ts';
import { registerSecurityTxt, registerSeo } from './http/site/seo.ts';
import { registerSitemaps } from './http/site/sitemaps.ts';
import { registerStaticFiles } from './http/site/static-files.ts';
import { isCrawler } from './observability/logger.ts';
import { registerOnResponse, type Metrics } from './observability/metrics.ts';
import { createDescriptionReader } from './prefill/read-descriptions.ts';
import { createReadInTurn } from './prefill/read-in-turn.ts';
import type { RateLimitStore } from './rate-limit/rate-limit-store.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit/rate-limiter.ts';
import { createAppRouter, type AppRouter } from './router.ts';
import { defaultServerOptions, type ServerOptions } from './server-options.ts';
import type { Logo } from './site-config.ts';
import type { Stores, Surface } from './http/api/surface.ts';
import type { Services } from './trpc.ts';
import { createWebsiteClaims, type WebsiteCheck } from './website-check/website-claims.ts';

/** The settings, by default those of an empty environment, and what the process has opened for the application. */
export type AppOptions = Partial<
  Config & ServerOptions & Pick<Surface, 'connectionChecks' | 'siteConfig' | 'websites'>
> & {
  stores: Stores;
  rateLimitStore: RateLimitStore;
  metrics?: Metrics | undefined;
  /** The procedures; those of the product by default. */
  router?: AppRouter;
  logo?: Logo | undefined;
  shuttingDown?: AbortSignal;
  slowClients?: Partial<SlowClientLimits>;
  /** Renders the markup of a page; in a worker thread by default. */
  renderMarkup?: RenderMarkup | undefined;
  logger?: FastifyServerOptions['logger'];
};

type BuildOptions = AppOptions & Config & ServerOptions;

/** Builds the HTTP application. Plugins are registered in the order in which they run. */
export async function buildApp(given: AppOptions): Promise<FastifyInstance> {
  const options = { ...defaultConfig, ...defaultServerOptions, siteConfig: defaultSiteConfig, ...given };
  const { PUBLIC_URL: publicUrl, siteConfig, metrics, rateLimitStore, websites, logo } = options;
  const { agents, views } = options.stores;
  const { app, connections } = createServer(options, options.logger);
  const router = options.router ?? createAppRouter(siteConfig.categories);
  const runProcedure = createRunProcedure(router);
  const rateLimiter = createRateLimiter(options, rateLimitStore);
  const services = openServices(options, rateLimiter, app.log);
  const readVersion = () => agents.version();
  const readFactsVersion = async () => `${await readVersion()}.${toHour()}`;
  const readOrigin = (request: FastifyRequest) => publicUrl ?? originOf(request);
  const createContext = createContexts(services, readOrigin);
  const site = openSite(app, options.webDir, options);
  const template = site?.template;
  const countView = (request: FastifyRequest, agentId: string) => {
    if (request.method !== 'HEAD' && !isCrawler(request.headers['user-agent'])) views.count(agentId);
  };
  metrics?.registrationOpen.set(Number(services.registration !== 'closed'));

  registerHooks(app, options, { connections, rateLimiter, template });
  const cache = registerResponseCache(app, {
    maxSize: options.CACHE_SIZE * MEBIBYTE,
    onView(request, agentId) {
      if (!isFromPage(request, readOrigin(request))) countView(request, agentId);
    },
    metrics,
  });
  registerRateLimits(app, rateLimiter);
  const surface: Surface = {
    ...services,
    rateLimitStore,
    websites,
    siteConfig,
    logo,
    template,
    publicUrl,
    toOrigin(request) {
      request.namesHost = publicUrl === undefined;
      return readOrigin(request);
    },
    router,
    createContext,
    runProcedure,
    readsOf: createPublicReads(createContext, runProcedure),
    cache,
    readVersion,
    readFactsVersion,
    countView,
  };
  registerRest(app, surface, {
    'stats.get': async () => `${await readVersion()}.${await views.monthlyViews()}`,
    'agents.facts': readFactsVersion,
  });
  registerOpenApi(app, surface);
  registerReference(app, surface);
  registerTrpc(app, surface);
  registerMcp(app, surface);
  registerManagedSettings(app, surface);
  const publishing = websites && publicUrl !== undefined ? explainPublishing(publicUrl) : undefined;
  registerMcpRegistry(app, { ...surface, publishing });
  registerPublisher(app, surface);
  if (publicUrl !== undefined) registerArd(app, { ...surface, publicUrl });
  if (options.SECURITY_CONTACT !== undefined) registerSecurityTxt(app, surface, options.SECURITY_CONTACT);
  if (!site) app.log.warn(`There is no built web app in ${options.webDir}; only the API is served.`);
  else {
    if (options.TRUST_PROXY !== undefined && publicUrl === undefined) {
      app.log.warn(
        "TRUST_PROXY is set without PUBLIC_URL, so pages and sitemaps name the host that each request names; set PUBLIC_URL to the registry's public address.",
      );
    }
    registerSite(app, site, surface);
  }
  return app;
}

/** Opens what procedures use besides the stores. */
function openServices(options: BuildOptions, rateLimiter: RateLimiter, log: FastifyBaseLogger): Services & Stores {
  const { stores, rateLimitStore, websites, metrics, connectionChecks } = options;
  const onChecked = (check: WebsiteCheck) => {
    metrics?.websiteChecks.inc({ result: check.result });
    log.info(check, 'Checked a website.');
  };
  return {
    ...stores,
    connectionChecks,
    rateLimiter,
    registration: options.REGISTRATION,
    heldEditsExcept: new Set(options.HELD_EDITS_EXCEPT),
    websiteClaims: websites && createWebsiteClaims({ ...websites, rateLimitStore, onChecked }),
    readDescriptions: websites && createReadInTurn(createDescriptionReader(websites), rateLimiter, rateLimitStore),
  };
}

/** Whether a page of the registry has sent a request, as far as browsers say: it counts its views itself. */
function isFromPage({ headers }: FastifyRequest, origin: string): boolean {
  const { 'sec-fetch-site': site, referer } = headers;
  return site === undefined ? (referer?.startsWith(`${origin}/`) ?? false) : site === 'same-origin';
}

function registerHooks(
  app: FastifyInstance,
  options: BuildOptions,
  {
    connections,
    rateLimiter,
    template = '',
  }: Pick<ReturnType<typeof createServer>, 'connections'> & Pick<Surface, 'rateLimiter' | 'template'>,
): void {
  const { stores, metrics, shuttingDown = new AbortController().signal } = options;
  registerRequestIds(app);
  registerPublicResponses(app, options.SHARED_CACHE_SECONDS);
  registerSlowClients(app, connections, { ...defaultSlowClientLimits, ...options.slowClients });
  registerOnResponse(app, metrics);
  registerSecurityHeaders(app, template);
  registerLoadShedding(app, options.maxEventLoopDelay);
  registerServerLimits(app, connections, options.maxConnections);
  registerCors(app, options.CORS_ORIGINS);
  registerErrorHandler(app, connections, rateLimiter);
  registerHost(app, connections);
  registerBodyParsers(app);
  registerDeadline(app, options.DATABASE_STATEMENT_TIMEOUT);
  registerHealth(app, stores.agents, shuttingDown);
}

/** Registers the pages, their files and pictures, and what they name for programs: badges, feeds, sitemaps. */
function registerSite(app: FastifyInstance, site: Site, surface: Surface): void {
  registerStaticFiles(app, site.webDir, brandedFiles(surface.siteConfig));
  registerBranding(app, surface.siteConfig, surface.logo);
  registerBadges(app, surface);
  registerLlmsTxt(app, surface);
  registerPublishSkill(app, surface);
  registerFeeds(app, surface);
  registerSeo(app, surface);
  registerSitemaps(app, surface);
  registerOgImages(app, surface);
  registerPages(app, site, surface);
}
