import type { EndpointName } from '@agent-registry/contracts';
import { callTRPCProcedure } from '@trpc/server';
import type { FastifyRequest } from 'fastify';
import { toHttpError } from '../../http-error.ts';
import { appRouter } from '../../router.ts';
import type { Context } from '../../trpc.ts';
import { logError } from '../plugins/error-handler.ts';
import type { CallResult } from '../site/page-renderer.ts';

/** Calls a procedure in the process, for the page that a request asks for. */
export async function callProcedure(
  context: Context,
  request: FastifyRequest,
  path: EndpointName,
  input: unknown,
): Promise<CallResult> {
  // Not Headers, with which Node loads its whole client of HTTP, some 4 MB.
  const headers = new Map<string, string>();
  const isMutation = path === 'agents.register';
  try {
    const data: unknown = await callTRPCProcedure({
      router: appRouter,
      path,
      type: isMutation ? 'mutation' : 'query',
      ctx: {
        ...context,
        // The page is what is charged and counted, not the reads that it is made of.
        ...(!isMutation && { checkRateLimit: async () => {}, countView: () => {} }),
        setHeader: (name, value) => headers.set(name, value),
      } satisfies Context,
      getRawInput: async () => input,
      signal: undefined,
      batchIndex: 0,
    });
    return { data, headers };
  } catch (error) {
    logError(error as Error, request);
    return { failure: toHttpError(error as Error) };
  }
}
