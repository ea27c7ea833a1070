import { cutText, escapeXml, OPENSEARCH_SUGGESTIONS_PATH, type SiteConfig } from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CACHE_FOR_AN_HOUR } from '../cache/response-cache.ts';

/** Longest `ShortName` of OpenSearch, in characters. */
const MAX_SHORT_NAME = 16;

export type SeoOptions = {
  siteConfig: SiteConfig;
  /** Where visitors reach the registry, such as `https://registry.example`. */
  toOrigin: (request: FastifyRequest) => string;
  /** The URL of the ARD manifest; undefined without one. */
  ardUrl?: string | undefined;
};

/** Serves robots.txt, and the OpenSearch description that adds the search to browsers. */
export function registerSeo(app: FastifyInstance, { siteConfig, toOrigin, ardUrl }: SeoOptions): void {
  app.get('/robots.txt', (request, reply) => {
    reply.header('Cache-Control', CACHE_FOR_AN_HOUR).type('text/plain; charset=utf-8');
    const agentmap = ardUrl === undefined ? '' : `Agentmap: ${ardUrl}\n`;
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
  <Url type="application/x-suggestions+json" method="get" template="${origin}${OPENSEARCH_SUGGESTIONS_PATH}?q={searchTerms}"/>
</OpenSearchDescription>
`,
    );
  });
}
