import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';

// Scripts that people run are not crawlers, although isbot counts them as bots.
const PROGRAMS =
  /^(curl|wget|httpie|python|aiohttp|node|undici|axios|got|go-http-client|okhttp|java|apache-httpclient|deno|bun|postmanruntime|insomnia|libwww-perl|guzzlehttp|ruby|dart)\b/i;

/** The report of a response; it contains no text from the client. */
export type ResponseReport = {
  method: string;
  /** The route pattern, such as `/api/agents/:id`. */
  route: string;
  status: number;
  /** From the headers of the request to the end of the response, in milliseconds. */
  responseTime: number;
};

type ReportResponse = (response: ResponseReport, log: FastifyBaseLogger) => void;

/** Reports each response of the application. */
export function registerOnResponse(app: FastifyInstance, report: ReportResponse): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime: responseTime } = reply;
    report({ method: request.method, route: routeOf(request), status, responseTime }, request.log);
    done();
  });
}

/** The route pattern of a request, which no client can make up; all files of the build have one. */
export function routeOf(request: FastifyRequest): string {
  const { url = 'none' } = request.routeOptions;
  return url.startsWith('/assets/') ? '/assets/*' : url;
}

/** What is known of the latest values of `User-Agent`. */
const crawlers = new LRUCache<string, boolean>({
  max: 100,
  memoMethod: (userAgent) => !PROGRAMS.test(userAgent) && isbot(userAgent.replace('HeadlessChrome', 'Chrome')),
});

/** Whether a User-Agent is a crawler's. Scripts and headless browsers are not crawlers. */
export function isCrawler(userAgent = ''): boolean {
  return crawlers.memo(userAgent);
}
