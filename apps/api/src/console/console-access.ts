import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RefusalError } from '../http-error.ts';

/** The parameter of the address that the command prints. */
export const TOKEN_PARAMETER = 'token';
/** The path below which the calls are. */
export const CALLS_PATH = '/trpc/';

/** The names by which a browser reaches a server on loopback, with the port of a tunnel perhaps. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Lets only the operator in: the browser that opened the address with the token and got a cookie for it. Refuses another
 * host, so that no name of a stranger leads here, and calls from other pages.
 * @param onUse called with each request that is let in
 */
export function guardAccess(app: FastifyInstance, { token, onUse }: { token: string; onUse: () => void }): void {
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
