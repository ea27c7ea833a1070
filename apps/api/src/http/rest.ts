import { endpoints, OPENAPI_PATH, type CategoryId, type Endpoint } from '@agent-registry/contracts';
import { callTRPCProcedure } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { appRouter } from '../router.ts';
import type { Context } from '../trpc.ts';
import { answerAtOnce, sendFailure } from './errors.ts';
import type { ReadyAnswers, ReadVersion } from './ready-answers.ts';
import { sendWholeList } from './whole-list.ts';

/** Makes the context of the procedure that answers a request. */
export type CreateContext = (request: FastifyRequest, reply: FastifyReply) => Context;

/** What REST routes work with. */
export type RestOptions = {
  createContext: CreateContext;
  readyAnswers: ReadyAnswers;
  /** What the answers of an endpoint hold for. */
  versionOf: (name: string) => ReadVersion;
};

/**
 * Serves each row of the contract's endpoint table as a Fastify route that calls the procedure, those that read from
 * ready answers, answers 405 for other methods on those paths and 404 for other paths below /api.
 */
export function registerRest(app: FastifyInstance, { createContext, readyAnswers, versionOf }: RestOptions): void {
  for (const [path, endpoint] of Object.entries<Endpoint>(endpoints)) {
    app.route({
      method: endpoint.method,
      url: toRoute(endpoint.path),
      ...(endpoint.method === 'GET' && readyAnswers.route(versionOf(path))),
      handler: async (request, reply) => {
        const context = createContext(request, reply);
        const making = readyAnswers.making(request);
        let list: { category: CategoryId | undefined } | undefined;
        const output: unknown = await callTRPCProcedure({
          router: appRouter,
          path,
          type: endpoint.method === 'GET' ? 'query' : 'mutation',
          ctx: {
            ...context,
            // A read was admitted before it was looked for among the ready answers.
            admit: async (kind) => {
              if (kind !== 'read') await context.admit(kind);
            },
            countView: () => {
              if (making) making.isView = true;
              else context.countView();
            },
            wholeList: async (category) => {
              list = { category };
              return [];
            },
          } satisfies Context,
          getRawInput: async () => readInput(request, endpoint),
          signal: undefined,
          batchIndex: 0,
        });
        reply.code(endpoint.status);
        return list ? sendWholeList(request, reply, { agents: context.agents, making, ...list }) : output;
      },
    });
  }
  refuseOtherMethods(app);
  for (const url of ['/api', '/api/*']) app.route({ method: app.supportedMethods, url, ...answerAtOnce(notFound) });
}

/** Answers that there is nothing at the path of a request. */
export function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendFailure(request, reply, { status: 404, detail: 'There is nothing at this address' });
}

function readInput(request: FastifyRequest, { method }: Endpoint): unknown {
  return method === 'GET' ? { ...(request.query as object), ...(request.params as object) } : request.body;
}

function refuseOtherMethods(app: FastifyInstance): void {
  const methodsByPath = new Map<string, string[]>([[OPENAPI_PATH, ['GET']]]);
  for (const { path, method } of Object.values<Endpoint>(endpoints)) {
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method]);
  }
  for (const [path, methods] of methodsByPath) {
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    app.route({
      method: app.supportedMethods.filter((method) => !allowed.includes(method)),
      url: toRoute(path),
      ...answerAtOnce((request, reply) => refuseMethod(request, reply, allowed)),
    });
  }
}

/** Answers that the method of a request is none of those that are allowed at its path. */
export function refuseMethod(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  return sendFailure(request, reply.header('Allow', allowed.join(', ')), {
    status: 405,
    detail: `${request.method} is not allowed here, only ${allowed.join(', ')}`,
  });
}

function toRoute(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
