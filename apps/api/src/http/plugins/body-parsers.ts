import { isUtf8 } from 'node:buffer';
import { TRPCError } from '@trpc/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Takes bodies of JSON, and no others. */
export function registerBodyParsers(app: FastifyInstance): void {
  // A field named __proto__ is one as any other, and refused by its name.
  const parseJson = app.getDefaultJsonParser('ignore', 'ignore');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  addBodyParser(app, 'application/json', parseJson);
}

/** Has a scope take bodies of JSON as texts, which others parse. */
export function addJsonTextParser(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  addBodyParser(scope, 'application/json', (_request, text, done) => done(null, text));
}

/** Has a scope take what forms send, as `URLSearchParams`. */
export function addFormParser(scope: FastifyInstance): void {
  addBodyParser(scope, 'application/x-www-form-urlencoded', (_request, text, done) => {
    const escapes = text.match(/(?:%[\da-f]{2})+/gi) ?? [];
    if (escapes.every((escape) => isUtf8(Buffer.from(escape.replaceAll('%', ''), 'hex')))) {
      done(null, new URLSearchParams(text));
    } else {
      done(notUtf8());
    }
  });
}

type Done = (error: Error | null, body?: unknown) => void;

/** Has a scope take bodies of a type, in UTF-8 as they stand and no others, so that nothing is stored that was not sent. */
function addBodyParser(
  scope: FastifyInstance,
  type: string,
  parse: (request: FastifyRequest, text: string, done: Done) => unknown,
): void {
  scope.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() !== 'identity') {
      done(
        new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The body must be sent without Content-Encoding' }),
      );
    } else if (isUtf8(body)) {
      void parse(request, body.toString(), done);
    } else {
      done(notUtf8());
    }
  });
}

// Decoded all the same, each wrong byte would become U+FFFD.
function notUtf8(): TRPCError {
  return new TRPCError({ code: 'BAD_REQUEST', message: 'The body is not valid UTF-8' });
}
