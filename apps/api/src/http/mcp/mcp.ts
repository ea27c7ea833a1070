import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RefusalError, type HttpError } from '../../http-error.ts';
import { logError } from '../../observability/logger.ts';
import { constantRoute, NO_STORE } from '../cache/response-cache.ts';
import { addJsonParser, parseJson } from '../plugins/body-parsers.ts';
import { refuseOtherMethods, setErrorFormat } from '../plugins/error-handler.ts';
import { CACHE_HINT, createServerCard, MCP_PATH, SERVER_CARD_PATH, SERVER_CARD_TYPE } from './server-card.ts';
import type { Surface } from '../api/surface.ts';

const REQUEST_HEADERS =
  'Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, Authorization';
/** Clients ask for a stream by GET, and end sessions by DELETE: they have to see the 405. */
const CORS = { methods: ['GET', 'POST', 'DELETE'], headers: REQUEST_HEADERS };
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INTERNAL_ERROR = -32_603;
const REFUSED = -32_000;

const emptyLists: Record<string, object> = {
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'prompts/list': { prompts: [] },
};

/** Serves the registry over the Model Context Protocol, without sessions, and the card that describes the server. */
export function registerMcp(app: FastifyInstance, options: Surface): void {
  const { siteConfig, readsOf, publicUrl, toOrigin, cache, rateLimiter } = options;
  app.get(
    SERVER_CARD_PATH,
    constantRoute(
      cache,
      SERVER_CARD_TYPE,
      (request) => JSON.stringify(createServerCard(toOrigin(request), siteConfig)),
      toOrigin,
    ),
  );
  app.register(async (scope) => {
    setErrorFormat(scope, rateLimiter, toRpcError);
    addJsonParser(scope);
    if (!publicUrl?.startsWith('https:')) scope.addHook('onRequest', refuseOtherHosts);
    scope.post(MCP_PATH, { config: { rateLimit: 'read', readKind: 'mcp', cors: CORS } }, (request, reply) =>
      handle(request, reply),
    );
    refuseOtherMethods(scope, MCP_PATH, ['POST'], { cors: CORS });
  });

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const message = withoutNulls(parseJson(request.body as string));
    reply.header('Cache-Control', NO_STORE);
    if (Array.isArray(message)) {
      // One request is one read of the rate limit, and current versions of the protocol have no batches.
      return reply
        .code(400)
        .send(toRpcMessage(INVALID_REQUEST, 'Batches are not accepted: send each message by itself.'));
    }
    const { method } = (message ?? {}) as { method?: unknown };
    const empty = typeof method === 'string' && Object.hasOwn(emptyLists, method) ? emptyLists[method] : undefined;
    if (empty) {
      // Some clients take an error for a broken server.
      const result = { resultType: 'complete', ...empty, ...CACHE_HINT };
      return reply.send({ jsonrpc: '2.0', id: readId(request.body), result });
    }
    if (method === 'subscriptions/listen') {
      // The library would answer with an internal error, although the tools never change.
      const detail = 'This server has no subscriptions: its tools never change.';
      return reply.code(404).send(toRpcMessage(METHOD_NOT_FOUND, detail, readId(request.body)));
    }
    // Imported late: most processes serve no MCP client when they start.
    const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./mcp-server.ts'),
    ]);
    const origin = toOrigin(request);
    const onError = (error: Error) => logError(error, request);
    // A handler for each request, so that nothing outlives the response, and graceful shutdown waits for that.
    const handler = createMcpHandler(() => createMcpServer({ siteConfig, origin, onError, ...readsOf(request) }), {
      maxSubscriptions: 0,
      onerror: (error) => request.log.debug(error),
    });
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
    );
    // The library demands both, also of clients that read one of them.
    headers.set('content-type', 'application/json');
    headers.set('accept', 'application/json, text/event-stream');
    // The version is negotiated by the message.
    if (method === 'initialize') headers.delete('mcp-protocol-version');
    const webRequest = new Request(origin + MCP_PATH, { method: 'POST', headers });
    const response = await handler.fetch(webRequest, { parsedBody: message });
    reply.code(response.status);
    // Its other headers, such as Connection, are for a stream of events that goes on.
    const type = response.headers.get('content-type');
    if (type !== null) reply.type(type);
    // As a text, whose bytes count until the client has read them; those of a web stream cannot be counted.
    const text = await response.text();
    if (!type?.startsWith('text/event-stream') || request.headers.accept?.includes('text/event-stream'))
      return reply.send(text || undefined);
    return reply.type('application/json').send(readLastEvent(text));
  }
}

/** A message without parameters that are null, which some clients send for none. */
function withoutNulls(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return message;
  const { params, ...rest } = message as { params?: unknown };
  if (typeof params !== 'object' || Array.isArray(params)) return message;
  return {
    ...rest,
    ...(params && { params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)) }),
  };
}

/** Without a public address pages of any website could reach the registry by a name of theirs (DNS rebinding). */
async function refuseOtherHosts({ headers: { host = '', origin } }: FastifyRequest): Promise<void> {
  if (isLoopback(`http://${host}`) && (origin === undefined || isLoopback(origin))) return;
  throw new RefusalError({
    status: 403,
    detail: 'Without an https PUBLIC_URL, only programs and pages of the same machine may use MCP',
  });
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}

function readLastEvent(stream: string): string | undefined {
  return stream
    .split('\n')
    .findLast((line) => line.startsWith('data: '))
    ?.slice('data: '.length);
}

function toRpcError({ status, detail }: HttpError, { body }: FastifyRequest) {
  const code = status >= 500 ? INTERNAL_ERROR : status === 400 ? PARSE_ERROR : REFUSED;
  return {
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(toRpcMessage(code, `${detail}.`, readId(body))),
  };
}

function toRpcMessage(code: number, message: string, id: string | number | null = null) {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function readId(body: unknown): string | number | null {
  try {
    const { id } = JSON.parse(body as string) as { id?: unknown };
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}
