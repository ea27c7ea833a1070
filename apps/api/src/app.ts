import { METHODS, type IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import type { AgentStore } from './agents/agent-store.ts';
import type { RateLimitStore } from './rate-limit/rate-limit-store.ts';
import { toHttpError } from './http-error.ts';
import { registerOnResponse, type ReportResponse } from './observability/on-response.ts';
import { createRateLimiter, type RateLimits } from './rate-limit/rate-limiter.ts';
import { identifyBuild } from './http/cache/build-id.ts';
import { registerBodyParsers } from './http/plugins/body-parsers.ts';
import { createContexts } from './http/api/context.ts';
import { registerCors } from './http/plugins/cors.ts';
import { isCrawler } from './stats/crawlers.ts';
import { handleClientError, refuse, registerErrorHandler } from './http/plugins/error-handler.ts';
import { registerSecurityHeaders } from './http/plugins/security-headers.ts';
import { registerHealth } from './http/plugins/health.ts';
import { defaultTimeouts, serverOptions, registerServerLimits, type Timeouts } from './http/plugins/server-limits.ts';
import { isVerbose, logResponse, logOf, RequestLogController } from './observability/logger.ts';
import { countResponse } from './observability/serve-metrics.ts';
import { registerOpenApi } from './http/api/openapi.ts';
import { DEFAULT_MAX_EVENT_LOOP_DELAY, registerLoadShedding } from './http/plugins/load-shedding.ts';
import { DEFAULT_CACHE_SIZE, registerReadyAnswers } from './http/cache/response-cache.ts';
import { registerRequestIds, requestIdOf } from './http/plugins/request-id.ts';
import { notFound, registerRest, type RestOptions } from './http/api/rest.ts';
import { openSite, registerSite } from './http/site/pages.ts';
import { registerTrpcProtocol } from './http/api/trpc.ts';
import { toTrustFunction, type TrustProxy } from './http/plugins/trust-proxy.ts';
import { createCacheKeyVariant } from './http/cache/cache-key.ts';
import type { Metrics } from './observability/metrics.ts';
import { createStatsVersion } from './stats/stats-version.ts';
import type { ViewCounter } from './stats/view-counter.ts';

/** What the application works with. */
export type AppOptions = {
  agents: AgentStore;
  views: ViewCounter;
  rateLimitStore: RateLimitStore;
  limits: RateLimits;
  /** Whether nobody can register at present. */
  isRegistrationClosed?: boolean;
  /** Which proxies may say what the address of a client is. */
  trustProxy?: TrustProxy;
  /** The origins, such as `https://app.example`, whose pages may register. */
  corsOrigins?: readonly string[];
  /** Where the registry is for its visitors, such as `https://registry.example`; what their requests say when left out. */
  publicUrl?: string | undefined;
  /** The folder of the built web app; without it only the API is served. */
  webDir: string;
  /** Aborted once the process is on its way out. */
  shuttingDown?: AbortSignal;
  timeouts?: Timeouts;
  /** The delay of the event loop beyond which requests are refused, in milliseconds; 0 for none. */
  maxEventLoopDelay?: number;
  /** Most memory for answers that are kept, in bytes; 0 for none. */
  cacheSize?: number;
  /** Where answers are counted; nowhere when left out. */
  metrics?: Metrics | undefined;
  logger?: FastifyServerOptions['logger'];
};

/** Builds the HTTP application: what is registered, in the order in which it runs. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { agents, views, webDir, publicUrl, corsOrigins = [], isRegistrationClosed = false, metrics } = options;
  const { shuttingDown = new AbortController().signal } = options;
  const serverLimits = serverOptions(options.timeouts ?? defaultTimeouts);
  const isTrusted = toTrustFunction(options.trustProxy);
  const app: FastifyInstance = Fastify({
    ...serverLimits,
    logger: options.logger ?? false,
    logController: new RequestLogController(),
    genReqId: requestIdOf,
    trustProxy: options.trustProxy === undefined ? false : isTrusted,
    // Fastify's own 503 on connections that are still open is not our error form, and the request can be answered.
    return503OnClosing: false,
    clientErrorHandler: handleClientError,
    frameworkErrors: (error, request, reply) => refuse(app, request.raw, reply.raw, toHttpError(error)),
    // Node's own answer to a request without Host has no body; ours is a sentence.
    http: { ...serverLimits.http, requireHostHeader: false },
  });
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }

  const countView = (request: IncomingMessage) => {
    if (request.method === 'GET' && !isCrawler(request.headers['user-agent'])) views.count();
  };
  const checkRateLimit = createRateLimiter(options.limits, options.rateLimitStore);
  const createContext = createContexts({ agents, views, countView, checkRateLimit, isRegistrationClosed });
  const tell: ReportResponse = (answered, log) => {
    logResponse(answered, log);
    if (metrics) countResponse(metrics, answered);
  };
  const site = await openSite(webDir);
  const readyAnswers = registerReadyAnswers(app, {
    maxSize: options.cacheSize ?? DEFAULT_CACHE_SIZE,
    build: identifyBuild(site?.webDir, [isRegistrationClosed, publicUrl]),
    changedAt: () => agents.changedAt(),
    isOpen: () =>
      !shuttingDown.aborted &&
      options.limits.read === 0 &&
      !(app.hasDecorator('isUnderPressure') && app.isUnderPressure()),
    checkRateLimit: (request, reply) => checkRateLimit('read', request, reply),
    variantOf: createCacheKeyVariant({ corsOrigins, publicUrl, isTrusted }),
    onView: countView,
    onAnswered:
      metrics || isVerbose(app.log) ? (answered, requestId) => tell(answered, logOf(requestId, app.log)) : undefined,
    metrics,
  });
  const readVersion = () => agents.version();
  const readStatsVersion = createStatsVersion(agents, views);
  const routes: RestOptions = {
    createContext,
    readyAnswers,
    versionOf: (procedure) => (procedure === 'stats.get' ? readStatsVersion : readVersion),
  };

  registerRequestIds(app);
  registerOnResponse(app, tell);
  registerSecurityHeaders(app, site?.template ?? '');
  await registerLoadShedding(app, options.maxEventLoopDelay ?? DEFAULT_MAX_EVENT_LOOP_DELAY);
  registerServerLimits(app);
  registerCors(app, corsOrigins);
  registerErrorHandler(app);
  registerBodyParsers(app);
  registerHealth(app, { agents, shuttingDown });
  registerRest(app, routes);
  registerOpenApi(app, readyAnswers);
  await registerTrpcProtocol(app, createContext);
  if (site) {
    await registerSite(app, site, { ...routes, agents, isRegistrationClosed, publicUrl });
  } else {
    app.log.warn(`There is no built web app in ${webDir}; only the API is served.`);
    app.setNotFoundHandler(notFound);
  }
  return app;
}
