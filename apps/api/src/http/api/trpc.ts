import { TRPCError } from '@trpc/server';
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { toHttpError } from '../../http-error.ts';
import { appRouter } from '../../router.ts';
import type { Context } from '../../trpc.ts';
import { addJsonTextParser } from '../plugins/body-parsers.ts';
import { earlyRoute, logError } from '../plugins/error-handler.ts';
import { refuseMethod, type CreateContext } from './rest.ts';

const PATH = '/trpc/:path';
/** What tRPC can pass on; it fails at other methods. */
const METHODS = ['GET', 'HEAD', 'POST'];
/** Most calls of one batch: each may be one for a whole list. */
const MAX_BATCH_SIZE = 10;
/** Most whole lists on their way at once, over all requests: each is in the memory until its reader has it or has gone. */
const MAX_WHOLE_LISTS = 20;

const TOO_MANY =
  'Too many whole lists are on their way; please ask for pages with limit, or try again in a few seconds';

/**
 * Serves the procedures over the tRPC protocol. Its own plugin is not used, which would read bodies of forms of any size,
 * and bodies of JSON whatever their bytes are.
 */
export async function registerTrpcProtocol(app: FastifyInstance, createContext: CreateContext): Promise<void> {
  let wholeLists = 0;
  await app.register(async (scope) => {
    addJsonTextParser(scope);
    scope.route<{ Params: { path: string } }>({
      method: METHODS,
      url: PATH,
      handler: (req, res) =>
        fastifyRequestHandler({
          router: appRouter,
          // tRPC decodes it, which Fastify has done already: a second time would fail at what is no text then.
          path: encodeURIComponent(req.params.path),
          req,
          res,
          maxBatchSize: MAX_BATCH_SIZE,
          createContext: () => boundLists(createContext(req, res), res),
          onError: ({ error }) => logError(error, req),
          responseMeta: ({ errors }) => {
            const retryAfter = Math.max(0, ...errors.map((error) => toHttpError(error).retryAfter ?? 0));
            return retryAfter > 0 ? { headers: new Headers({ 'Retry-After': String(retryAfter) }) } : {};
          },
        }),
    });
  });
  app.route({
    method: app.supportedMethods.filter((method) => !METHODS.includes(method)),
    url: PATH,
    ...earlyRoute((request, reply) => refuseMethod(request, reply, METHODS)),
  });

  function boundLists(context: Context, reply: FastifyReply): Context {
    let own = 0;
    reply.raw.once('close', () => {
      wholeLists -= own;
      own = 0;
    });
    return {
      ...context,
      wholeList: async (category) => {
        if (reply.raw.closed) return [];
        if (wholeLists === MAX_WHOLE_LISTS) throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: TOO_MANY });
        wholeLists += 1;
        own += 1;
        return context.wholeList(category);
      },
    };
  }
}
