import { endpoints, OPENAPI_PATH, type CategoryId, type Endpoint, type EndpointName } from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';
import { appRouter } from '../../router.ts';
import type { Context } from '../../trpc.ts';
import { earlyRoute, sendError } from '../plugins/error-handler.ts';
import type { ReadyAnswers } from '../cache/response-cache.ts';
import type { ReadVersion } from '../cache/version.ts';
import { sendWholeList } from './full-list.ts';

/** Makes the context of the procedure that answers a request. */
export type CreateContext = (request: FastifyRequest, reply: FastifyReply) => Context;

/** What REST routes work with. */
export type RestOptions = {
  createContext: CreateContext;
  readyAnswers: ReadyAnswers;
  /** What the answers of an endpoint hold for. */
  versionOf: (procedure: EndpointName) => ReadVersion;
};

/**
 * What a procedure is made of. tRPC's own caller makes a dozen objects and promises of it for each call, which take as long
 * as to read an agent and send it.
 */
type Parts = { inputs: readonly ZodType[]; resolver: (call: { ctx: Context; input: unknown }) => Promise<unknown> };

/**
 * Serves each row of the contract's endpoint table as a Fastify route that runs the procedure, those that read from
 * ready answers, answers 405 for other methods on those paths and 404 for other paths below /api.
 */
export function registerRest(app: FastifyInstance, { createContext, readyAnswers, versionOf }: RestOptions): void {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: Parts }>;
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    const { inputs, resolver } = (procedures[name] as { _def: Parts })._def;
    const isRead = endpoint.method === 'GET';
    app.route({
      method: endpoint.method,
      url: toRoute(endpoint.path),
      ...(isRead && readyAnswers.route(versionOf(name))),
      handler: async (request, reply) => {
        const context = createContext(request, reply);
        // A read was admitted before it was looked for among the ready answers.
        if (!isRead) await context.checkRateLimit('register');
        const making = readyAnswers.making(request);
        let list: { category: CategoryId | undefined } | undefined;
        const output = await resolver({
          input: inputs[0] && parse(inputs[0], readInput(request, endpoint)),
          ctx: {
            ...context,
            countView: () => {
              if (making) making.isView = true;
              else context.countView();
            },
            wholeList: async (category) => {
              list = { category };
              return [];
            },
          },
        });
        reply.code(endpoint.status);
        return list ? sendWholeList(reply, { agents: context.agents, making, ...list }) : output;
      },
    });
  }
  refuseOtherMethods(app);
  for (const url of ['/api', '/api/*']) app.route({ method: app.supportedMethods, url, ...earlyRoute(notFound) });
}

/** Answers that there is nothing at the path of a request. */
export function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(request, reply, { status: 404, detail: 'There is nothing at this address' });
}

function parse(schema: ZodType, input: unknown): unknown {
  try {
    return schema.parse(input);
  } catch (cause) {
    throw new TRPCError({ code: 'BAD_REQUEST', cause });
  }
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
      ...earlyRoute((request, reply) => refuseMethod(request, reply, allowed)),
    });
  }
}

/** Answers that the method of a request is none of those that are allowed at its path. */
export function refuseMethod(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  return sendError(request, reply.header('Allow', allowed.join(', ')), {
    status: 405,
    detail: `${request.method} is not allowed here, only ${allowed.join(', ')}`,
  });
}

function toRoute(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
