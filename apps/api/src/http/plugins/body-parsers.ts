import { isUtf8 } from 'node:buffer';
import { TRPCError } from '@trpc/server';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** Accepts JSON bodies, and no others. */
export function registerBodyParsers(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  addJsonParser(app, 'application/json');
}

/** Makes a scope accept JSON bodies of a media type. */
export function addJsonParser(scope: FastifyInstance, type: string): void {
  // A field named __proto__ is refused by the schema, as any other unknown field.
  addBodyParser(scope, type, scope.getDefaultJsonParser('ignore', 'ignore'));
}

/** Makes a scope accept JSON bodies as unparsed text. */
export function addJsonTextParser(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  addBodyParser(scope, 'application/json', (_request, text, done) => done(null, text));
}

/** Makes a scope accept HTML form bodies, as `URLSearchParams`. */
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

/**
 * Makes a scope of calls that need no body accept an empty one with any `Content-Type`, since many HTTP clients name one
 * with every request.
 */
export function addEmptyBodyParsers(scope: FastifyInstance): void {
  const parseJson = scope.getDefaultJsonParser('ignore', 'ignore');
  scope.removeContentTypeParser('application/json');
  addBodyParser(scope, 'application/json', (request, text, done) =>
    text === '' ? done(null) : parseJson(request, text, done),
  );
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) =>
    body.length === 0 ? done(null) : done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE()),
  );
  scope.addHook('onRequest', (request, _reply, done) => {
    // Fastify refuses a malformed media type before it looks for a parser.
    if (request.mediaType !== 'application/json') delete request.headers['content-type'];
    done();
  });
}

type Done = (error: Error | null, body?: unknown) => void;

/**
 * Adds a parser for uncompressed UTF-8 bodies; others are refused, so that no byte is stored otherwise than it was
 * sent.
 */
function addBodyParser(
  scope: FastifyInstance,
  type: string,
  parse: (request: FastifyRequest, text: string, done: Done) => unknown,
): void {
  scope.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const { 'content-encoding': encoding = 'identity', 'content-type': contentType = '' } = request.headers;
    const charset = CHARSET.exec(contentType)?.[1] ?? 'utf-8';
    if (body.length === 0) {
      void parse(request, '', done);
    } else if (encoding.toLowerCase() !== 'identity') {
      done(unsupported('The body must be sent without Content-Encoding'));
    } else if (charset.toLowerCase() !== 'utf-8') {
      done(unsupported('The body must be sent in UTF-8'));
    } else if (isUtf8(body)) {
      void parse(request, body.toString(), done);
    } else {
      done(notUtf8());
    }
  });
}

function unsupported(message: string): TRPCError {
  return new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message });
}

// toString() would replace each invalid byte by U+FFFD.
function notUtf8(): TRPCError {
  return new TRPCError({ code: 'BAD_REQUEST', message: 'The body is not valid UTF-8' });
}
