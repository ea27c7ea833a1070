import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { brandedFiles } from './branding.ts';
import { CACHE_FOR_AN_HOUR } from '../cache/response-cache.ts';

/**
 * Serves the files of the built web app, precompressed by the build: hashed assets are cached for a year, other files
 * for an hour. They are not rate limited and never query the database.
 */
export async function registerStaticFiles(app: FastifyInstance, webDir: string): Promise<void> {
  const assets = join(webDir, 'assets');
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, rateLimit: false };
    });
    await scope.register(fastifyStatic, {
      root: webDir,
      // One route for each file, so that every other path is a page.
      wildcard: false,
      index: false,
      preCompressed: true,
      globIgnore: [...brandedFiles(), 'index.html', 'server/**', '**/*.br', '**/*.gz'],
      setHeaders: (response, file) =>
        response.header(
          'Cache-Control',
          file.startsWith(assets) ? 'public, max-age=31536000, immutable' : CACHE_FOR_AN_HOUR,
        ),
    });
  });
}
