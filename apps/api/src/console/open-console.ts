import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import { toHttpError } from '../http-error.ts';
import { addTextParser } from '../http/plugins/body-parsers.ts';
import { registerStaticFiles } from '../http/site/static-files.ts';
import { CALLS_PATH, guardAccess, TOKEN_PARAMETER } from './console-access.ts';
import { consoleRouter } from './console-router.ts';
import type { ConsoleContext } from './console-trpc.ts';

/** How long a console that nobody uses stays open, in milliseconds. */
const IDLE_PERIOD = 30 * 60_000;
/** Room for the ids of all agents that the console changes at once. */
const BODY_LIMIT = 2 ** 20;

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
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
} as const;

type ConsoleOptions = {
  context: ConsoleContext;
  /** The folder of the built page. */
  consoleDir: string;
  /** The secret of the address. */
  token: string;
  /** Called with each request of the operator. */
  onUse: () => void;
  /** Called with errors that are not the operator's. */
  onError: (error: Error) => void;
};

/** Builds the page and its calls. It has no log, so the token is in none. */
function buildConsole({ context, consoleDir, token, onUse, onError }: ConsoleOptions): FastifyInstance {
  const app = Fastify({ logger: false, bodyLimit: BODY_LIMIT, forceCloseConnections: true });
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

/** An open console. */
export type OpenConsole = {
  /** The address with the token. */
  url: string;
  port: number;
  /** Resolves once the console has ended: after `close`, or because nobody used it. */
  ended: Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the console on loopback.
 * @param port 0 for any free one
 * @param idlePeriod after how many milliseconds without a request it ends; 30 minutes by default
 */
export async function openConsole({
  port,
  idlePeriod = IDLE_PERIOD,
  ...options
}: Omit<ConsoleOptions, 'token' | 'onUse'> & { port: number; idlePeriod?: number }): Promise<OpenConsole> {
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
