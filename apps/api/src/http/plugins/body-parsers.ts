import { isUtf8 } from 'node:buffer';
import { errorCodes, type FastifyInstance } from 'fastify';
import { RefusalError } from '../../http-error.ts';

const NOT_A_FORM = 'The body must be that of the form';
const NOT_UTF_8 = 'The body is not valid UTF-8';
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** Accepts JSON bodies, and no others. Every body stays text, so that rate limits count a request before it is parsed. */
export function registerBodyParsers(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  addTextParser(app, 'application/json');
}

/** Makes a scope accept HTML form bodies, and no others, as text. */
export function addFormParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  addTextParser(scope, 'application/x-www-form-urlencoded');
  scope.addContentTypeParser('*', (_request, _body, done) => done(unsupported(NOT_A_FORM)));
}

/** @throws {RefusalError} if it is empty or not JSON */
export function parseJson(text: string): unknown {
  if (text === '') throw invalid('The body is empty; it must be a JSON object');
  try {
    // Without a byte order mark. A field named __proto__ is refused by the schema, as any other unknown field.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw invalid('The body is not valid JSON');
  }
}

/** @throws {RefusalError} if it is none, or not UTF-8 */
export function parseForm(body: unknown): URLSearchParams {
  if (typeof body !== 'string') throw unsupported(NOT_A_FORM);
  const escapes = body.match(/(?:%[\da-f]{2})+/gi) ?? [];
  const isValid = escapes.every((escape) => isUtf8(Buffer.from(escape.replaceAll('%', ''), 'hex')));
  if (!isValid) throw invalid(NOT_UTF_8);
  return new URLSearchParams(body);
}

/** Makes a scope of calls that need no body accept an empty one with any `Content-Type`, as many HTTP clients send it. */
export function addEmptyBodyParsers(scope: FastifyInstance): void {
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) =>
    body.length === 0 ? done(null) : done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE()),
  );
  scope.addHook('onRequest', (request, _reply, done) => {
    // Fastify refuses a malformed media type before it looks for a parser.
    if (request.mediaType !== 'application/json') delete request.headers['content-type'];
    done();
  });
}

/** Makes a scope accept JSON bodies of any JSON media type or none, as text: programs name several. */
export function addJsonParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  addTextParser(scope, '*', /^(?:application\/(?:[\w.-]+\+)?json\s*(?:;|$)|$)/i);
}

/** Makes a scope accept uncompressed UTF-8 bodies as text, and no others, so that each byte is stored as it was sent. */
export function addTextParser(scope: FastifyInstance, type: string, accepted = /(?:)/): void {
  scope.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const { 'content-encoding': encoding = 'identity', 'content-type': contentType = '' } = request.headers;
    const charset = CHARSET.exec(contentType)?.[1] ?? 'utf-8';
    if (!accepted.test(contentType)) {
      done(unsupported('The body must be JSON, with the media type application/json'));
    } else if (body.length === 0) {
      done(null, '');
    } else if (encoding.toLowerCase() !== 'identity') {
      done(unsupported('The body must be sent without Content-Encoding'));
    } else if (charset.toLowerCase() !== 'utf-8') {
      done(unsupported('The body must be sent in UTF-8'));
    } else if (isUtf8(body)) {
      done(null, body.toString());
    } else {
      // toString() would replace each invalid byte by U+FFFD.
      done(invalid(NOT_UTF_8));
    }
  });
}

function unsupported(detail: string): RefusalError {
  return new RefusalError({ status: 415, detail });
}

function invalid(detail: string): RefusalError {
  return new RefusalError({ status: 400, detail });
}
