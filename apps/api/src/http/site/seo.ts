import { cutText, escapeXml } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { ARD_MANIFEST_PATH } from '../ard/entries.ts';
import { CACHE_FOR_AN_HOUR } from '../cache/response-cache.ts';
import type { Surface } from '../api/surface.ts';

/** How long the file is valid, in milliseconds; each request gets a new date. */
const VALIDITY = 180 * 86_400_000;
const MAX_SHORT_NAME = 16;

export function registerSeo(app: FastifyInstance, { siteConfig, toOrigin, publicUrl }: Surface): void {
  app.get('/robots.txt', (request, reply) => {
    reply.header('Cache-Control', CACHE_FOR_AN_HOUR).type('text/plain; charset=utf-8');
    const agentmap = publicUrl === undefined ? '' : `Agentmap: ${publicUrl}${ARD_MANIFEST_PATH}\n`;
    return reply.send(`User-agent: *\nDisallow: /trpc/\n\nSitemap: ${toOrigin(request)}/sitemap.xml\n${agentmap}`);
  });

  app.get('/opensearch.xml', (request, reply) => {
    const origin = toOrigin(request);
    reply.header('Cache-Control', CACHE_FOR_AN_HOUR).type('application/opensearchdescription+xml; charset=utf-8');
    return reply.send(
      `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${escapeXml(cutText(siteConfig.name, MAX_SHORT_NAME, MAX_SHORT_NAME).trim())}</ShortName>
  <Description>${escapeXml(`Search ${siteConfig.subject}`)}</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="32" height="32" type="image/x-icon">${origin}/favicon.ico</Image>
  <Url type="text/html" method="get" template="${origin}/?q={searchTerms}"/>
</OpenSearchDescription>
`,
    );
  });
}

export function registerSecurityTxt(app: FastifyInstance, { toOrigin }: Surface, contact: string): void {
  const path = '/.well-known/security.txt';
  app.get(path, { config: { rateLimit: false } }, (request, reply) => {
    const expires = new Date(Date.now() + VALIDITY).toISOString().replace(/T.*/, 'T00:00:00Z');
    return reply
      .header('Cache-Control', CACHE_FOR_AN_HOUR)
      .type('text/plain; charset=utf-8')
      .send(
        `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${toOrigin(request)}${path}\n`,
      );
  });
}
