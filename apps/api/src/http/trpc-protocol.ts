import { fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import type { FastifyInstance } from 'fastify';
import { toFailure } from '../failure.ts';
import { appRouter } from '../router.ts';
import { takeJsonTexts } from './body.ts';
import { answerAtOnce, logFailure } from './errors.ts';
import { refuseMethod, type CreateContext } from './rest.ts';

const PATH = '/trpc/:path';
/** What tRPC can pass on; it fails at other methods. */
const METHODS = ['GET', 'HEAD', 'POST'];
/** Most calls of one batch: each may be one for a whole list. */
const MAX_BATCH_SIZE = 10;

/**
 * Serves the procedures over the tRPC protocol. Its own plugin is not used, which would read bodies of forms of any size,
 * and bodies of JSON whatever their bytes are.
 */
export async function registerTrpcProtocol(app: FastifyInstance, createContext: CreateContext): Promise<void> {
  await app.register(async (scope) => {
    takeJsonTexts(scope);
    scope.route<{ Params: { path: string } }>({
      method: METHODS,
      url: PATH,
      handler: (req, res) =>
        fastifyRequestHandler({
          router: appRouter,
          path: req.params.path,
          req,
          res,
          maxBatchSize: MAX_BATCH_SIZE,
          createContext: () => createContext(req, res),
          onError: ({ error }) => logFailure(error, req),
          responseMeta: ({ errors }) => {
            const retryAfter = Math.max(0, ...errors.map((error) => toFailure(error).retryAfter ?? 0));
            return retryAfter > 0 ? { headers: new Headers({ 'Retry-After': String(retryAfter) }) } : {};
          },
        }),
    });
  });
  app.route({
    method: app.supportedMethods.filter((method) => !METHODS.includes(method)),
    url: PATH,
    ...answerAtOnce((request, reply) => refuseMethod(request, reply, METHODS)),
  });
}
