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
import { answerClientError, answerError, registerErrors } from './http/errors.ts';
import { registerHardening } from './http/hardening.ts';
import { registerOpenApi } from './http/openapi.ts';
import { registerRest, type CreateContext } from './http/rest.ts';
import { readPage, registerSite } from './http/site.ts';
import { toTrustFunction, type TrustProxy } from './http/trust-proxy.ts';
import { appRouter, type AppRouter } from './router.ts';
import type { ViewCounter } from './stats/view-counter.ts';

/** The largest body that is read, in bytes; the largest valid registration takes about 30 kB. */
const BODY_LIMIT = 65_536;
/** The longest path parameter: a batch of tRPC calls names each procedure in one. */
const MAX_PARAM_LENGTH = 1_000;

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
  /** The folder of the built web app; without it only the API is served. */
  webDir: string;
  logger?: FastifyServerOptions['logger'];
};

/** Builds the HTTP application: what is registered, in the order in which it runs. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { agents, views, webDir, isRegistrationClosed = false, logger = false } = options;
  const app = Fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: toTrustFunction(options.trustProxy),
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    clientErrorHandler: answerClientError,
    frameworkErrors: answerError,
    // Node's own answer to a request without Host has no body; ours is a sentence.
    http: { requireHostHeader: false },
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

  const page = readPage(webDir);
  await registerHardening(app, page ?? '');
  registerCors(app, options.corsOrigins ?? []);
  registerErrors(app);
  registerRest(app, createContext);
  registerOpenApi(app);
  await app.register(fastifyTRPCPlugin, {
    prefix: '/trpc',
    trpcOptions: {
      router: appRouter,
      createContext: ({ req, res }) => createContext(req, res),
    } satisfies FastifyTRPCPluginOptions<AppRouter>['trpcOptions'],
  });
  await registerSite(app, { webDir, page, agents, isRegistrationClosed });
  return app;
}
