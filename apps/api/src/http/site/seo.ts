import {
  changedAt,
  escapeXml,
  listCategoryIds,
  OPENSEARCH_SUGGESTIONS_PATH,
  toAgentPath,
  type ListedAgent,
  type SiteConfig,
} from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AgentStore } from '../../agents/agent-store.ts';
import { createPathNotFoundError } from '../../http-error.ts';
import {
  CACHE_FOR_AN_HOUR,
  type ProducedResponse,
  type ReadVersion,
  type ResponseCache,
} from '../cache/response-cache.ts';

/** The largest number of URLs in one sitemap, by the sitemap protocol. */
const MAX_SITEMAP_SIZE = 50_000;

/** Options of `registerSeo`. */
export type SeoOptions = {
  siteConfig: SiteConfig;
  agents: Pick<AgentStore<ListedAgent>, 'count' | 'lastChange' | 'stream'>;
  cache: ResponseCache;
  readVersion: ReadVersion;
  /** Where visitors reach the registry, such as `https://registry.example`. */
  toOrigin: (request: FastifyRequest) => string;
  /** The URL of the ARD manifest; undefined without one. */
  ardUrl?: string | undefined;
  /** The largest number of URLs in one sitemap; for tests. */
  maxSitemapSize?: number | undefined;
};

/** Serves robots.txt, sitemaps, and the OpenSearch description that adds the search to browsers. */
export function registerSeo(
  app: FastifyInstance,
  { siteConfig, agents, cache, readVersion, toOrigin, ardUrl, maxSitemapSize = MAX_SITEMAP_SIZE }: SeoOptions,
): void {
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
  <ShortName>${escapeXml(siteConfig.name)}</ShortName>
  <Description>${escapeXml(`Search ${siteConfig.subject}`)}</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="32" height="32" type="image/x-icon">${origin}/favicon.ico</Image>
  <Url type="text/html" method="get" template="${origin}/?q={searchTerms}"/>
  <Url type="application/x-suggestions+json" method="get" template="${origin}${OPENSEARCH_SUGGESTIONS_PATH}?q={searchTerms}"/>
</OpenSearchDescription>
`,
    );
  });

  app.get(
    '/sitemap.xml',
    cache.route({
      readVersion,
      originOf: toOrigin,
      async produce(request) {
        const parts = await countParts();
        if (parts === 1) return toResponse(writeSitemap(toOrigin(request), 1));
        // A new agent comes first and moves the others, through all parts.
        const changed = toLastModified(await agents.lastChange());
        const entries = Array.from(
          { length: parts },
          (_, index) => `<sitemap><loc>${toOrigin(request)}/sitemap-${index + 1}.xml</loc>${changed}</sitemap>`,
        );
        return toResponse(`${XML}<sitemapindex xmlns="${NAMESPACE}">\n${entries.join('\n')}\n</sitemapindex>\n`);
      },
    }),
  );

  app.get(
    String.raw`/sitemap-:part(^[1-9]\d{0,8}).xml`,
    cache.route({
      readVersion,
      parse: ({ params }) => Number((params as { part: string }).part),
      originOf: toOrigin,
      async produce(request, part) {
        if (part > (await countParts())) throw createPathNotFoundError();
        return toResponse(writeSitemap(toOrigin(request), part));
      },
    }),
  );

  async function countParts(): Promise<number> {
    // Home and the categories have URLs, too.
    return Math.ceil(((await agents.count()) + 1 + siteConfig.categories.length) / maxSitemapSize);
  }

  /** Writes a part of the sitemap while the agents are read. */
  async function* writeSitemap(origin: string, part: number): AsyncGenerator<string> {
    let position = 0;
    const isInPart = () => Math.floor(position++ / maxSitemapSize) === part - 1;
    yield `${XML}<urlset xmlns="${NAMESPACE}">\n`;
    for (const [path, category] of [
      ['/', undefined],
      ...listCategoryIds(siteConfig.categories).map((id) => [`/?category=${id}`, id] as const),
    ] as const) {
      if (!isInPart()) continue;
      yield toEntry(origin + path, await agents.lastChange(category));
    }
    for await (const chunk of agents.stream()) {
      yield chunk
        .map((agent) => (isInPart() ? toEntry(origin + toAgentPath(agent.id), changedAt(agent)) : ''))
        .join('');
      if (position >= part * maxSitemapSize) break;
    }
    yield '</urlset>\n';
  }
}

function toResponse(body: ProducedResponse['body']): ProducedResponse {
  return { headers: { 'content-type': 'application/xml; charset=utf-8' }, body };
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function toEntry(url: string, lastModified: string | undefined): string {
  return `<url><loc>${url}</loc>${toLastModified(lastModified)}</url>\n`;
}

function toLastModified(time: string | undefined): string {
  return time ? `<lastmod>${time}</lastmod>` : '';
}
