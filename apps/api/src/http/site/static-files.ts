import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Compressed } from '../cache/compression.ts';
import { FOR_AN_HOUR, type ReadyAnswers } from '../cache/response-cache.ts';

/** How the names of files end which the build has compressed. */
const COMPRESSED_FILES = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Serves the files of the built web app: hashed assets for ever, the others for an hour. */
export async function registerFiles(app: FastifyInstance, webDir: string, readyAnswers: ReadyAnswers): Promise<void> {
  const { preHandler, onSend } = readyAnswers.files();
  app.addHook('onRoute', (route) => {
    const addCompressed = async (request: FastifyRequest) => {
      const making = readyAnswers.making(request);
      if (making) making.compressed = await readCompressed(join(webDir, route.url));
    };
    Object.assign(route, { preHandler: [preHandler, addCompressed], onSend });
  });
  await app.register(fastifyStatic, {
    root: webDir,
    // A route for each file that is there, so that every other path is a page.
    wildcard: false,
    index: false,
    globIgnore: ['index.html', 'server/**', ...COMPRESSED_FILES.map(([, end]) => `**/*${end}`)],
    setHeaders: (response, file) =>
      response.header(
        'Cache-Control',
        file.startsWith(join(webDir, 'assets')) ? 'public, max-age=31536000, immutable' : FOR_AN_HOUR,
      ),
  });
}

/** What a file is in the codings in which the build has made it smaller. */
async function readCompressed(file: string): Promise<Compressed> {
  const read = COMPRESSED_FILES.map(async ([encoding, end]) => {
    const bytes = await readFile(file + end).catch(() => undefined);
    return bytes ? [[encoding, bytes] as const] : [];
  });
  return Object.fromEntries((await Promise.all(read)).flat());
}
