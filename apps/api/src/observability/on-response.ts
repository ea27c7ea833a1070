import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';

/** What is told of an answer: nothing that the caller has written. */
export type ResponseReport = {
  method: string;
  /** The pattern of the request's route. */
  route: string;
  status: number;
  /** From the headers of the request to the end of the answer, in milliseconds. */
  responseTime: number;
};

/** Tells who counts or logs answers of one, with the log of its request. */
export type ReportResponse = (answered: ResponseReport, log: FastifyBaseLogger) => void;

/** Tells of each answer of the application. */
export function registerOnResponse(app: FastifyInstance, tell: ReportResponse): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime: responseTime } = reply;
    tell({ method: request.method, route: routeOf(request), status, responseTime }, request.log);
    done();
  });
}

/** The pattern of a request's route, which no caller can invent; the files of a build are one. */
export function routeOf(request: FastifyRequest): string {
  const { url = 'none' } = request.routeOptions;
  return url.startsWith('/assets/') ? '/assets/*' : url;
}
