import { METHODS } from 'node:http';
import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify';
import Fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify';
import type { AgentStore } from './agents/agent-store.ts';
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
import { registerRest, type CreateContext } from './http/rest.ts';
import { readPage, registerSite } from './http/site.ts';
import type { Metrics } from './metrics.ts';
import { appRouter, type AppRouter } from './router.ts';
import type { ViewCounter } from './stats/view-counter.ts';

/** What the application works with. */
export type AppOptions = {
  agents: AgentStore;
  views: ViewCounter;
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
export async function buildApp({
  agents,
  views,
  webDir,
  leaving = new AbortController().signal,
  timeouts = defaultTimeouts,
  maxEventLoopDelay = DEFAULT_MAX_EVENT_LOOP_DELAY,
  metrics,
  logger = false,
}: AppOptions): Promise<FastifyInstance> {
  const limits = limitServer(timeouts);
  const app = Fastify({
    ...limits,
    logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    // Fastify's own 503 on connections that are still open is not our error form, and the request can be answered.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) =>
      void answerError(error, request, reply.header(REQUEST_ID_HEADER, request.id)),
    // Node's own answer to a request without Host has no body; ours is a sentence.
    http: { ...limits.http, requireHostHeader: false },
  });
  app.removeContentTypeParser('text/plain');
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }

  const createContext: CreateContext = (request, reply) => ({
    agents,
    views,
    countView: () => {
      if (request.method === 'GET' && !isCrawler(request.headers['user-agent'])) views.count();
    },
    wholeList: (category) => agents.list(category),
    setHeader: (name, value) => void reply.header(name, value),
  });

  const page = readPage(webDir);
  registerRequestIds(app);
  registerLog(app);
  if (metrics) registerMetrics(app, metrics);
  await registerHardening(app, page ?? '');
  await registerPressure(app, maxEventLoopDelay);
  registerLimits(app);
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
  await registerSite(app, { webDir, page, agents });
  return app;
}
