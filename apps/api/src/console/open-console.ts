import { randomBytes, createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { toHttpError, RefusalError } from '../http-error.ts';
import { addTextParser } from '../http/plugins/body-parsers.ts';
import { SECURITY_HEADERS } from '../http/plugins/headers.ts';
import { registerStaticFiles } from '../http/site/static-files.ts';
import { consoleRouter } from './console-router.ts';
import type { ConsoleContext } from './act.ts';

/** The parameter of the address that the command prints. */
const TOKEN_PARAMETER = 'token';
/** The path below which the calls are. */
const CALLS_PATH = '/trpc/';
/** The names by which a browser reaches a server on loopback, with the port of a tunnel perhaps. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
const SAFE_METHODS = new Set(['GET', 'HEAD']);
/** How long a console that nobody uses stays open, in milliseconds. */
const IDLE_PERIOD = 30 * 60_000;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Mantine writes inline styles.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every response. Nothing of the console is kept by a cache, embedded elsewhere or told to other sites. */
const HEADERS = {
  ...SECURITY_HEADERS,
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

type ConsoleOptions = {
  context: ConsoleContext;
  consoleDir: string;
  token: string;
  /** Called with each request of the operator. */
  onUse: () => void;
  /** Called with errors that are not the operator's. */
  onError: (error: Error) => void;
};

/** Builds the page and its calls. It has no log, so the token is in none. */
function buildConsole({ context, consoleDir, token, onUse, onError }: ConsoleOptions): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  const page = readFileSync(join(consoleDir, 'index.html'));

  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.headers(HEADERS);
    done(null, payload);
  });
  guardAccess(app, { token, onUse });
  app.setErrorHandler((error: Error, _request, reply) => {
    const { status, detail } = toHttpError(error);
    if (status >= 500) onError(error);
    return reply.code(status).type('text/plain; charset=utf-8').send(`${detail}.`);
  });
  // A form of another page can send every other type.
  app.removeAllContentTypeParsers();
  addTextParser(app, 'application/json');

  app.route<{ Params: { path: string } }>({
    method: ['GET', 'POST'],
    url: `${CALLS_PATH}:path`,
    handler: (req, res) =>
      fastifyRequestHandler({
        router: consoleRouter,
        // Fastify has decoded the path, and tRPC decodes it again.
        path: encodeURIComponent(req.params.path),
        req,
        res,
        allowBatching: false,
        createContext: () => context,
        onError: ({ error }) => {
          if (toHttpError(error).status >= 500) onError(error);
        },
      }),
  });
  registerStaticFiles(app, consoleDir, []);
  // Every other path is a view of the page.
  app.get('/*', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  return app;
}

export type OpenConsole = Awaited<ReturnType<typeof openConsole>>;

/**
 * Opens the console on loopback: its address with the token, and a promise that resolves once it has ended, by `close` or
 * because nobody used it.
 * @param port 0 for any free one
 * @param idlePeriod after how many milliseconds without a request it ends; 30 minutes by default
 */
export async function openConsole({
  port,
  idlePeriod = IDLE_PERIOD,
  ...options
}: Omit<ConsoleOptions, 'token' | 'onUse'> & { port: number; idlePeriod?: number }) {
  const token = randomBytes(32).toString('base64url');
  const app = buildConsole({ ...options, token, onUse: () => idle.refresh() });
  const ended = new Promise<void>((resolve) => {
    app.addHook('onClose', () => resolve());
  });
  const close = async () => {
    clearTimeout(idle);
    await app.close();
  };
  const idle = setTimeout(() => void close(), idlePeriod);
  try {
    await app.listen({ host: '127.0.0.1', port });
  } catch (error) {
    await close();
    throw error;
  }
  const { port: taken } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${taken}/?${TOKEN_PARAMETER}=${token}`, port: taken, ended, close };
}

/**
 * Lets only the operator in: the browser that opened the address with the token and got a cookie for it. Refuses another
 * host, so that no name of a stranger leads here, and calls from other pages.
 * @param onUse called with each request that is let in
 */
function guardAccess(app: FastifyInstance, { token, onUse }: { token: string; onUse: () => void }): void {
  const expected = digest(token);
  // Cookies are shared by all ports of a host: each console has a name of its own.
  const cookieName = `registry-console-${expected.toString('hex').slice(0, 12)}`;
  const isToken = (text: string | undefined) => text !== undefined && timingSafeEqual(digest(text), expected);

  app.addHook('onRequest', async (request, reply) => {
    if (!LOOPBACK.test(request.headers.host ?? '')) {
      throw new RefusalError({ status: 403, detail: 'The console is reached at localhost or 127.0.0.1 only' });
    }
    const given = readToken(request);
    if (given !== undefined && isToken(given)) return openSession(reply, cookieName, token);
    if (given !== undefined || !isToken(readCookie(request, cookieName))) {
      throw new RefusalError({
        status: 401,
        detail: 'Open the address that registry console printed, with its token; if you just did, reload this page',
      });
    }
    const isCall = request.routeOptions.url?.startsWith(CALLS_PATH) ?? false;
    if ((isCall || !SAFE_METHODS.has(request.method)) && !isOwnPage(request)) {
      throw new RefusalError({ status: 403, detail: 'Only pages of the console itself may call it' });
    }
    onUse();
  });
}

/** Sets the cookie and leads to the address without the token, which so gets into no history and no `Referer`. */
function openSession(reply: FastifyReply, cookieName: string, token: string): FastifyReply {
  return reply
    .header('Set-Cookie', `${cookieName}=${token}; HttpOnly; SameSite=Strict; Path=/`)
    .redirect('/', 303)
    .send();
}

/** Whether a call comes from a page of the console: browsers send at least one of the two headers with it. */
function isOwnPage({ headers, method }: FastifyRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin !== undefined) return origin === `http://${host}`;
  return site !== undefined || SAFE_METHODS.has(method);
}

/** The token of the first address; undefined for any other. */
function readToken({ method, url }: FastifyRequest): string | undefined {
  if (!SAFE_METHODS.has(method)) return undefined;
  const [, query = ''] = url.split('?', 2);
  return new URLSearchParams(query).get(TOKEN_PARAMETER) ?? undefined;
}

function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const cookies = headers.cookie?.split(/; */) ?? [];
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** A hash, so that texts of any length are compared in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
