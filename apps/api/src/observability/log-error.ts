import { TRPCError } from '@trpc/server';
import type { FastifyRequest } from 'fastify';
import { DatabaseUnavailableError } from '../database-error.ts';
import { toHttpError } from '../http-error.ts';
import { routeOf } from './on-response.ts';

/**
 * Logs an error of the server; mistakes of the client, intended refusals and errors after the connection was closed, as
 * at the end of the process, are not logged. An outage that several requests share is logged once.
 */
export function logError(error: Error, request: FastifyRequest): void {
  const { status, isIntended } = toHttpError(error);
  if (status < 500 || isIntended || request.socket.destroyed) return;
  const reason = error instanceof TRPCError ? error.cause : error;
  if (reason instanceof DatabaseUnavailableError) {
    if (reason.isLogged) return;
    reason.isLogged = true;
  }
  request.log.error({ err: error, method: request.method, route: routeOf(request) }, 'A request failed.');
}
