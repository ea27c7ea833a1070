import { METHODS } from 'node:http';
import { IDEMPOTENCY_KEY_HEADER, REGISTRATION_CLOSED } from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';
import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify';
import Fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify';
import type { AgentStore } from './agents/agent-store.ts';
import type { BudgetStore } from './budgets/budget-store.ts';
import { createBudgets, type Limits } from './http/budgets.ts';
import { registerCors } from './http/cors.ts';
import { isCrawler } from './http/crawlers.ts';
import { answerClientError, answerError, logFailure, registerErrors } from './http/errors.ts';
import { registerHardening } from './http/hardening.ts';
import { registerHealth } from './http/health.ts';
import { defaultTimeouts, limitServer, registerLimits, type Timeouts } from './http/limits.ts';
import { registerLog } from './http/log.ts';
import { registerMetrics } from './http/metrics.ts';
import { registerOpenApi } from './http/openapi.ts';
import { DEFAULT_MAX_EVENT_LOOP_DELAY, registerPressure } from './http/pressure.ts';
import { registerRequestIds, REQUEST_ID_HEADER, requestIdOf } from './http/request-id.ts';
import { notFound, registerRest, type CreateContext } from './http/rest.ts';
import { openSite, registerSite } from './http/site.ts';
import { toTrustFunction, type TrustProxy } from './http/trust-proxy.ts';
import type { Metrics } from './metrics.ts';
import { appRouter, type AppRouter } from './router.ts';
import type { ViewCounter } from './stats/view-counter.ts';

/** What the application works with. */
export type AppOptions = {
  agents: AgentStore;
  views: ViewCounter;
  budgets: BudgetStore;
  limits: Limits;
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
  leaving?: AbortSignal;
  timeouts?: Timeouts;
  /** The delay of the event loop beyond which requests are refused, in milliseconds; 0 for none. */
  maxEventLoopDelay?: number;
  /** Where answers are counted; nowhere when left out. */
  metrics?: Metrics | undefined;
  logger?: FastifyServerOptions['logger'];
};

/** Builds the HTTP application: what is registered, in the order in which it runs. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { agents, views, webDir, metrics, isRegistrationClosed = false } = options;
  const { leaving = new AbortController().signal } = options;
  const serverLimits = limitServer(options.timeouts ?? defaultTimeouts);
  const app = Fastify({
    ...serverLimits,
    logger: options.logger ?? false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    trustProxy: toTrustFunction(options.trustProxy),
    // Fastify's own 503 on connections that are still open is not our error form, and the request can be answered.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) =>
      void answerError(error, request, reply.header(REQUEST_ID_HEADER, request.id)),
    // Node's own answer to a request without Host has no body; ours is a sentence.
    http: { ...serverLimits.http, requireHostHeader: false },
  });
  app.removeContentTypeParser('text/plain');
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }

  const charge = createBudgets(options.limits, options.budgets);
  const createContext: CreateContext = (request, reply) => ({
    agents,
    views,
    countView: () => {
      if (request.method === 'GET' && !isCrawler(request.headers['user-agent'])) views.count();
    },
    wholeList: (category) => agents.list(category),
    admit: async (kind) => {
      if (kind === 'register' && isRegistrationClosed) {
        throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: REGISTRATION_CLOSED });
      }
      await charge(kind, request, reply);
    },
    idempotencyKey: request.headers[IDEMPOTENCY_KEY_HEADER.toLowerCase()]?.toString(),
    setHeader: (name, value) => void reply.header(name, value),
  });

  const site = await openSite(webDir);
  registerRequestIds(app);
  registerLog(app);
  if (metrics) registerMetrics(app, metrics);
  await registerHardening(app, site?.template ?? '');
  await registerPressure(app, options.maxEventLoopDelay ?? DEFAULT_MAX_EVENT_LOOP_DELAY);
  registerLimits(app);
  registerCors(app, options.corsOrigins ?? []);
  registerErrors(app);
  registerHealth(app, { agents, leaving });
  registerRest(app, createContext);
  registerOpenApi(app);
  await app.register(fastifyTRPCPlugin, {
    prefix: '/trpc',
    trpcOptions: {
      router: appRouter,
      createContext: ({ req, res }) => createContext(req, res),
      onError: ({ error, req }) => logFailure(error, req),
    } satisfies FastifyTRPCPluginOptions<AppRouter>['trpcOptions'],
  });
  if (site) {
    await registerSite(app, { site, agents, createContext, isRegistrationClosed, publicUrl: options.publicUrl });
  } else {
    app.log.warn(`There is no built web app in ${webDir}; only the API is served.`);
    app.setNotFoundHandler(notFound);
  }
  return app;
}
