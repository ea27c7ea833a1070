import { Readable } from 'node:stream';
import { BRAND, categoryIds, toAgentPath } from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AgentStore } from '../../agents/agent-store.ts';
import { FOR_AN_HOUR, type ReadyRoute } from '../cache/response-cache.ts';
import { notFound } from '../api/rest.ts';

/** The most addresses in one sitemap, by its specification. */
const MAX_SITEMAP_SIZE = 50_000;
/** The addresses that are no agent's: home and one of each category. */
const FIXED_ADDRESSES = 1 + categoryIds.length;

/** What the files for who looks for pages are made of. */
export type SeoOptions = {
  agents: Pick<AgentStore, 'count' | 'page' | 'stream'>;
  /** Makes answers that hold until agents change ready ones. */
  ready: ReadyRoute;
  /** Where the registry is for the sender of a request. */
  toOrigin: (request: FastifyRequest) => string;
  /** The most addresses in one sitemap; for tests. */
  maxSitemapSize?: number | undefined;
};

/** Serves what search engines and browsers find the pages by: robots.txt, sitemaps, and the description of the search. */
export function registerSeo(
  app: FastifyInstance,
  { agents, ready, toOrigin, maxSitemapSize = MAX_SITEMAP_SIZE }: SeoOptions,
): void {
  app.get('/robots.txt', (request, reply) => {
    reply.header('Cache-Control', FOR_AN_HOUR).type('text/plain; charset=utf-8');
    return reply.send(`User-agent: *\nDisallow: /trpc/\n\nSitemap: ${toOrigin(request)}/sitemap.xml\n`);
  });

  app.get('/opensearch.xml', (request, reply) => {
    const origin = toOrigin(request);
    reply.header('Cache-Control', FOR_AN_HOUR).type('application/opensearchdescription+xml; charset=utf-8');
    return reply.send(
      `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${BRAND}</ShortName>
  <Description>Search AI agents, bots and automation tools</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="32" height="32" type="image/x-icon">${origin}/favicon.ico</Image>
  <Url type="text/html" method="get" template="${origin}/?q={searchTerms}"/>
</OpenSearchDescription>
`,
    );
  });

  app.get('/sitemap.xml', ready, async (request, reply) => {
    const parts = await countParts();
    reply.type('application/xml; charset=utf-8');
    if (parts === 1) return reply.send(Readable.from(writeSitemap(toOrigin(request), 1)));
    // Whoever is added comes first, and everybody else moves on, through all parts.
    const changed = toLastModified((await agents.page({ limit: 1 }))?.agents[0]?.createdAt);
    const entries = Array.from(
      { length: parts },
      (_, index) => `<sitemap><loc>${toOrigin(request)}/sitemap-${index + 1}.xml</loc>${changed}</sitemap>`,
    );
    return reply.send(`${XML}<sitemapindex xmlns="${NAMESPACE}">\n${entries.join('\n')}\n</sitemapindex>\n`);
  });

  app.get<{ Params: { part: string } }>(String.raw`/sitemap-:part(^\d{1,9}).xml`, ready, async (request, reply) => {
    const part = Number(request.params.part);
    if (part < 1 || part > (await countParts())) return notFound(request, reply);
    reply.type('application/xml; charset=utf-8');
    return reply.send(Readable.from(writeSitemap(toOrigin(request), part)));
  });

  async function countParts(): Promise<number> {
    return Math.ceil(((await agents.count()) + FIXED_ADDRESSES) / maxSitemapSize);
  }

  /** A sitemap while it is read, so that no number of agents is too large for the memory. */
  async function* writeSitemap(origin: string, part: number): AsyncGenerator<string> {
    let position = 0;
    const isInPart = () => Math.floor(position++ / maxSitemapSize) === part - 1;
    yield `${XML}<urlset xmlns="${NAMESPACE}">\n`;
    // A list changes when an agent is added to it, an agent never.
    for (const [path, category] of [
      ['/', undefined],
      ...categoryIds.map((id) => [`/?category=${id}`, id] as const),
    ] as const) {
      if (!isInPart()) continue;
      const newest = await agents.page({ category, limit: 1 });
      yield toEntry(origin + path, newest?.agents[0]?.createdAt);
    }
    for await (const chunk of agents.stream()) {
      yield chunk.map(({ id, createdAt }) => (isInPart() ? toEntry(origin + toAgentPath(id), createdAt) : '')).join('');
      if (position >= part * maxSitemapSize) break;
    }
    yield '</urlset>\n';
  }
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function toEntry(url: string, lastModified: string | undefined): string {
  return `<url><loc>${url}</loc>${toLastModified(lastModified)}</url>\n`;
}

function toLastModified(time: string | undefined): string {
  return time ? `<lastmod>${time}</lastmod>` : '';
}
