import { setImmediate } from 'node:timers/promises';
import { endpoints, type EndpointName } from '@agent-registry/contracts';
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inTime } from '../../database-error.ts';
import { RefusalError, toHttpError, type HttpError } from '../../http-error.ts';
import { logError } from '../../observability/logger.ts';
import { toTrpcError } from '../../trpc.ts';
import { NO_STORE } from '../cache/response-cache.ts';
import { countError, lengthOf, refundReads } from '../plugins/rate-limits.ts';
import { rateLimitOf, toHeaders } from './rest.ts';
import type { Surface } from './surface.ts';

const PATH = '/trpc/:path';
/** The methods that the tRPC adapter handles; it fails at others. */
const METHODS = ['GET', 'HEAD', 'POST'];
const MAX_BATCH_SIZE = 10;

function isEndpoint(path: string): path is EndpointName {
  return Object.hasOwn(endpoints, path);
}

/** Not by tRPC's own Fastify plugin, which parses form bodies of any size and JSON bodies that are not UTF-8. */
export function registerTrpc(app: FastifyInstance, { router, createContext, rateLimiter, countView }: Surface): void {
  const counting = new WeakMap<FastifyRequest, { refused: HttpError; counted: Promise<HttpError> }>();
  app.route<{ Params: { path: string } }>({
    method: METHODS,
    url: PATH,
    // The calls of a batch are counted one by one, below.
    config: { rateLimit: false, isWrite: true },
    // tRPC sends an error without waiting until it is counted.
    async onSend(request, reply, payload) {
      const { refused, counted } = counting.get(request) ?? {};
      const error = await counted;
      // The error that is thrown is sent, too.
      counting.delete(request);
      if (error && error.status !== refused?.status) throw new RefusalError(error);
      reply.headers(error?.headers ?? {});
      return payload;
    },
    handler: (req, res) =>
      fastifyRequestHandler({
        router,
        // Fastify has decoded the path, and tRPC decodes it again.
        path: encodeURIComponent(req.params.path),
        req,
        res,
        maxBatchSize: MAX_BATCH_SIZE,
        createContext: async ({ info }) => {
          req.isCounted = true;
          const bytes = Math.ceil(lengthOf(req.body) / info.calls.length);
          for (const { path } of info.calls) {
            const kind = isEndpoint(path) ? rateLimitOf(path) : info.type === 'mutation' ? 'register' : 'read';
            const headers = await inTime(rateLimiter.consume(kind, req.ip, { bytes }), req.deadline).catch(
              (error: unknown) => {
                throw toTrpcError(error);
              },
            );
            res.headers(headers);
            if (kind === 'read') req.reads += 1;
          }
          // tRPC starts all calls at once; with a turn of the event loop for each, others are served in between.
          let turn = Promise.resolve();
          const context = createContext(req);
          // The pages of a batch are one response.
          const pageBytes = context.pageBytes / Math.max(1, info.calls.length);
          return { ...context, pageBytes, waitForTurn: () => (turn = turn.then(() => setImmediate())) };
        },
        onError: ({ error }) => {
          logError(error, req);
          void refundReads(error, req, rateLimiter);
          // Errors that come before the calls are counted, such as that of too large a batch.
          const refused = toHttpError(error);
          if (!req.isCounted) counting.set(req, { refused, counted: countError(refused, req, rateLimiter) });
        },
        // A batch has one status for all its calls.
        responseMeta: ({ ctx, errors }) => {
          for (const agentId of ctx?.response.views ?? []) countView(req, agentId);
          const headers = new Headers({ ...(ctx && toHeaders(ctx.response)), 'Cache-Control': NO_STORE });
          for (const error of errors) {
            const { headers: more = {}, retryAfter } = toHttpError(error);
            for (const [name, value] of Object.entries(more)) headers.set(name, value);
            if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter));
          }
          return { headers };
        },
      }),
  });
}
