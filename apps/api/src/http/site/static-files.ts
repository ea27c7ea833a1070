import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { preferredEncoding, type Encoding } from '../cache/entries.ts';
import { etagOf } from '../../etag.ts';
import { allowsEtag, matchesEtag, toEtagHeader } from '../cache/send-entry.ts';
import { RegistryError } from '../../registry-error.ts';
import { CACHE_FOR_AN_HOUR, CACHE_FOR_EVER } from '../cache/response-cache.ts';

/** The content types of the built web app, and those that operators add for other services. */
const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

const COMPRESSED_SUFFIXES = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

type StaticFile = {
  headers: Record<string, string>;
  etag: string;
  bodies: ReadonlyMap<Encoding, Buffer>;
};

/** Serves the files of the built web app from memory, but for those `except` that other routes serve. */
export function registerStaticFiles(app: FastifyInstance, webDir: string, except: readonly string[]): void {
  // One route for each file, so that every other path is a page.
  for (const path of listFiles(webDir, except)) {
    const file = readFile(webDir, path);
    app.get(`/${path}`, { config: { rateLimit: false, isFile: true } }, (request, reply) =>
      sendFile(file, request, reply),
    );
  }
}

function listFiles(webDir: string, except: readonly string[]): string[] {
  return readdirSync(webDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(webDir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => {
      const isHidden = path.split('/').some((part) => part.startsWith('.'));
      const isRendered = path === 'index.html' || path.startsWith('server/') || except.includes(path);
      return !isHidden && !isRendered && !COMPRESSED_SUFFIXES.some(([, suffix]) => path.endsWith(suffix));
    });
}

function readFile(webDir: string, path: string): StaticFile {
  const file = join(webDir, path);
  const body = readFileSync(file);
  const bodies = new Map<Encoding, Buffer>([['identity', body]]);
  for (const [encoding, suffix] of COMPRESSED_SUFFIXES) {
    if (existsSync(file + suffix)) bodies.set(encoding, readFileSync(file + suffix));
  }
  return {
    headers: {
      'content-type': CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
      'cache-control': path.startsWith('assets/') ? CACHE_FOR_EVER : CACHE_FOR_AN_HOUR,
      vary: 'Accept-Encoding',
    },
    etag: etagOf(body),
    bodies,
  };
}

function sendFile({ headers, etag, bodies }: StaticFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!allowsEtag(request.headers['if-match'], etag)) {
    throw new RegistryError('changed', 'The file is none of those in If-Match');
  }
  const encoding = preferredEncoding(request.raw, bodies);
  reply.headers(headers).header('etag', toEtagHeader(etag, encoding));
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.removeHeader('content-type').code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(bodies.get(encoding));
}
