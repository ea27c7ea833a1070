import { isUtf8 } from 'node:buffer';
import { TRPCError } from '@trpc/server';
import type { FastifyInstance } from 'fastify';

/** Takes bodies of JSON in UTF-8 as they stand and no others, so that nothing is stored that was not sent. */
export function registerBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() !== 'identity') {
      done(
        new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The body must be sent without Content-Encoding' }),
      );
    } else if (isUtf8(body)) {
      void parseJson(request, body.toString(), done);
    } else {
      // Decoded all the same, each wrong byte would become U+FFFD.
      done(new TRPCError({ code: 'BAD_REQUEST', message: 'The body is not valid UTF-8' }));
    }
  });
}
