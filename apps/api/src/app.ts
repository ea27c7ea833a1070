import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import { defaultSiteConfig, type EndpointName, type SiteConfig } from '@agent-registry/contracts';
import type { AgentStore } from './stores.ts';
import { defaultConfig, MEBIBYTE, type Config } from './config.ts';
import { createContexts, createServices, type ServiceOptions } from './http/api/context.ts';
import { createPublicReads } from './http/api/public-reads.ts';
import { registerOpenApi } from './http/api/openapi.ts';
import { registerRest } from './http/api/rest.ts';
import { registerTrpc } from './http/api/trpc.ts';
import { registerResponseCache, type ReadVersion } from './http/cache/response-cache.ts';
import { registerPublicResponses } from './http/cache/send-entry.ts';
import { registerArd } from './http/ard/ard.ts';
import { ARD_MANIFEST_PATH } from './http/ard/entries.ts';
import { registerBadges } from './http/machine/badge.ts';
import { registerManagedSettings } from './http/machine/managed-settings.ts';
import { registerPublishSkill } from './http/machine/publish-skill.ts';
import { registerLlmsTxt, registerSkill } from './http/machine/llms-txt.ts';
import { registerMcpRegistry } from './http/mcp-registry/mcp-registry.ts';
import { explainPublishing, registerPublisher } from './http/publisher/publisher.ts';
import { registerMcp } from './http/mcp/mcp.ts';
import { registerBodyParsers } from './http/plugins/body-parsers.ts';
import { registerCors, registerSecurityHeaders } from './http/plugins/security-headers.ts';
import {
  registerDeadline,
  registerServerLimits,
  createServer,
  registerLoadShedding,
} from './http/plugins/create-server.ts';
import type { Connections } from './http/plugins/connection.ts';
import { registerErrorHandler } from './http/plugins/error-handler.ts';
import { registerOnResponse, isCrawler } from './observability/on-response.ts';
import { registerHealth } from './http/plugins/health.ts';
import { registerHost, originOf, registerRequestIds } from './http/plugins/host.ts';
import { registerRateLimits } from './http/plugins/rate-limits.ts';
import { defaultSlowClientLimits, registerSlowClients, type SlowClientLimits } from './http/plugins/slow-clients.ts';
import { brandedFiles, registerBranding } from './http/site/branding.ts';
import type { RenderMarkup } from './http/site/page-renderer.ts';
import { openSite, type RenderingOptions, type Site } from './http/site/page-rendering.ts';
import { registerFeeds } from './http/site/feeds.ts';
import { registerOgImages } from './http/site/og-images.ts';
import { createFactsVersion, registerPages } from './http/site/pages.ts';
import { registerSecurityTxt, registerSeo } from './http/site/seo.ts';
import { registerSitemaps } from './http/site/sitemaps.ts';
import { registerStaticFiles } from './http/site/static-files.ts';
import { logResponse } from './observability/logger.ts';
import { countResponse } from './observability/metrics.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit/rate-limiter.ts';
import { createAppRouter, createRunProcedure, type AppRouter } from './router.ts';
import { defaultServerOptions, type ServerOptions } from './server-options.ts';
import type { Logo } from './site-config.ts';
import type { Surface } from './http/api/surface.ts';

/** The settings, by default those of an empty environment, and what the process has opened for the application. */
export type AppOptions = Partial<Config & ServerOptions> &
  ServiceOptions & {
    /** The procedures; those of the product by default. */
    router?: AppRouter;
    /** The branding, and the categories of the agents; those of the product by default. */
    siteConfig?: SiteConfig;
    logo?: Logo | undefined;
    /** Aborted when graceful shutdown begins. */
    shuttingDown?: AbortSignal;
    /** Overrides of the default limits for slow clients. */
    slowClients?: Partial<SlowClientLimits>;
    /** Renders the markup of a page; in a worker thread by default. */
    renderMarkup?: RenderMarkup | undefined;
    logger?: FastifyServerOptions['logger'];
  };

/** Builds the HTTP application. Plugins are registered in the order in which they run. */
export async function buildApp(given: AppOptions): Promise<FastifyInstance> {
  const options = { ...defaultConfig, ...defaultServerOptions, ...given };
  const { PUBLIC_URL: publicUrl, REGISTRATION: registration } = options;
  const { agents, siteConfig = defaultSiteConfig, views, metrics } = options;
  const { app, connections } = createServer(options, options.logger);
  const countView = (request: FastifyRequest, agentId: string) => {
    if (request.method !== 'HEAD' && !isCrawler(request.headers['user-agent'])) views.count(agentId);
  };
  const procedures = options.router ?? createAppRouter(siteConfig.categories);
  const runProcedure = createRunProcedure(procedures);
  metrics?.registrationOpen.set(Number(registration !== 'closed'));
  const rateLimiter = createRateLimiter(options, options.rateLimitStore);
  const readVersion = () => agents.version();
  const readOrigin = (request: FastifyRequest) => publicUrl ?? originOf(request);
  const toOrigin = (request: FastifyRequest) => {
    request.namesHost = publicUrl === undefined;
    return readOrigin(request);
  };
  const services = createServices(options, rateLimiter, app.log);
  const createContext = createContexts(services, readOrigin);
  const site = openSite(options.webDir, siteConfig);

  registerHooks(app, options, { connections, rateLimiter, agents, template: site?.template });
  const cache = registerResponseCache(app, {
    maxSize: options.CACHE_SIZE * MEBIBYTE,
    onView(request, agentId) {
      if (!isFromPage(request, readOrigin(request))) countView(request, agentId);
    },
    metrics,
  });
  registerRateLimits(app, rateLimiter);
  const surface: Surface = {
    siteConfig,
    agents,
    publicUrl,
    toOrigin,
    createContext,
    runProcedure,
    readsOf: createPublicReads(createContext, runProcedure),
    cache,
    readVersion,
    rateLimiter,
    countView,
  };
  const versions: Partial<Record<EndpointName, ReadVersion>> = {
    'stats.get': async () => `${await readVersion()}.${await views.monthlyViews()}`,
    'agents.facts': createFactsVersion(readVersion),
  };
  registerRest(app, { ...surface, versionOf: (name) => versions[name] ?? readVersion });
  registerOpenApi(app, {
    ...surface,
    router: procedures,
    publicContact: agents.publicContact,
    template: site?.template,
  });
  registerTrpc(app, { ...surface, router: procedures });
  registerMcpSurfaces(app, surface, options);
  if (publicUrl !== undefined) registerArd(app, { ...surface, publicUrl });
  const contact = options.SECURITY_CONTACT;
  if (contact !== undefined) registerSecurityTxt(app, { contact, toOrigin });
  if (site) {
    if (options.TRUST_PROXY !== undefined && publicUrl === undefined) {
      app.log.warn(
        "TRUST_PROXY is set without PUBLIC_URL, so pages and sitemaps name the host that each request names; set PUBLIC_URL to the registry's public address.",
      );
    }
    registerSite(app, site, {
      ...surface,
      registration,
      logo: options.logo,
      renderMarkup: options.renderMarkup,
    });
  } else {
    app.log.warn(`There is no built web app in ${options.webDir}; only the API is served.`);
  }
  return app;
}

/** Whether a page of the registry has sent a request, as far as browsers say: it counts its views itself. */
function isFromPage({ headers }: FastifyRequest, origin: string): boolean {
  const { 'sec-fetch-site': site, referer } = headers;
  return site === undefined ? (referer?.startsWith(`${origin}/`) ?? false) : site === 'same-origin';
}

/** What the hooks of an application share with its routes. */
type HookParts = {
  connections: Connections;
  rateLimiter: RateLimiter;
  agents: Pick<AgentStore, 'version' | 'isStandby'>;
  /** The HTML of the built web app; undefined without one. */
  template: string | undefined;
};

/** Registers the hooks that run before the response cache, and the health checks. */
function registerHooks(
  app: FastifyInstance,
  options: AppOptions & Config & ServerOptions,
  { connections, rateLimiter, agents, template = '' }: HookParts,
): void {
  const { metrics, shuttingDown = new AbortController().signal } = options;
  registerRequestIds(app);
  registerPublicResponses(app, options.SHARED_CACHE_SECONDS);
  registerSlowClients(app, connections, { ...defaultSlowClientLimits, ...options.slowClients });
  registerOnResponse(app, (response, log) => {
    logResponse(response, log);
    if (metrics) countResponse(metrics, response);
  });
  registerSecurityHeaders(app, template);
  registerLoadShedding(app, options.maxEventLoopDelay);
  registerServerLimits(app, connections, options.maxConnections);
  registerCors(app, options.CORS_ORIGINS);
  registerErrorHandler(app, connections, rateLimiter);
  registerHost(app);
  registerBodyParsers(app);
  registerDeadline(app, options.DATABASE_STATEMENT_TIMEOUT);
  registerHealth(app, { agents, shuttingDown });
}

/** Registers what programs read and write of MCP servers. */
function registerMcpSurfaces(app: FastifyInstance, surface: Surface, options: AppOptions & Config): void {
  const { REGISTRATION: registration, servers, publications, websites, rateLimitStore } = options;
  const { publicUrl } = surface;
  const publishing = websites && publicUrl !== undefined ? explainPublishing(publicUrl) : undefined;
  const heldEditsExcept = new Set(options.HELD_EDITS_EXCEPT);
  registerMcp(app, surface);
  registerManagedSettings(app, { ...surface, registration });
  registerMcpRegistry(app, { ...surface, servers, publishing });
  registerPublisher(app, {
    ...surface,
    servers,
    publications,
    websites,
    rateLimitStore,
    registration,
    heldEditsExcept,
  });
}

type SiteOptions = Omit<RenderingOptions, 'ardUrl'> & {
  logo?: Logo | undefined;
};

/** Registers the pages, their files and pictures, and what they name for programs: badges, feeds, sitemaps. */
function registerSite(app: FastifyInstance, site: Site, options: SiteOptions): void {
  const { siteConfig, publicUrl, logo } = options;
  const ardUrl = publicUrl && publicUrl + ARD_MANIFEST_PATH;
  registerStaticFiles(app, site.webDir, brandedFiles(siteConfig));
  registerBranding(app, siteConfig, logo);
  registerBadges(app, options);
  registerLlmsTxt(app, options);
  registerSkill(app, options);
  registerPublishSkill(app, options);
  registerFeeds(app, options);
  registerSeo(app, { ...options, ardUrl });
  registerSitemaps(app, options);
  registerOgImages(app, options);
  registerPages(app, site, { ...options, ardUrl });
}
