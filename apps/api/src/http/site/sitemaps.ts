import { changedAt, listCategoryIds, toAgentPath } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { createPathNotFoundError } from '../../http-error.ts';
import type { ProducedResponse } from '../cache/entries.ts';
import type { Surface } from '../api/surface.ts';

/** The largest number of URLs in one sitemap, by the sitemap protocol. */
const MAX_SITEMAP_SIZE = 50_000;

type SitemapsOptions = Pick<Surface, 'siteConfig' | 'agents' | 'cache' | 'readVersion' | 'toOrigin'> & {
  /** The largest number of URLs in one sitemap; for tests. */
  maxSitemapSize?: number | undefined;
};

/** Serves the sitemap; an index and its parts where there are too many URLs for one. */
export function registerSitemaps(
  app: FastifyInstance,
  { siteConfig, agents, cache, readVersion, toOrigin, maxSitemapSize = MAX_SITEMAP_SIZE }: SitemapsOptions,
): void {
  app.get(
    '/sitemap.xml',
    cache.route({
      readKind: 'sitemap',
      readVersion,
      originOf: toOrigin,
      async produce(request) {
        const parts = await countParts();
        if (parts === 1) return toResponse(() => writeSitemap(toOrigin(request), 1));
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
      readKind: 'sitemap',
      readVersion,
      parse: ({ params }) => Number((params as { part: string }).part),
      originOf: toOrigin,
      async produce(request, part) {
        if (part > (await countParts())) throw createPathNotFoundError();
        return toResponse(() => writeSitemap(toOrigin(request), part));
      },
    }),
  );

  async function countParts(): Promise<number> {
    // Home and the categories have URLs, too.
    return Math.ceil(((await agents.count()) + 1 + siteConfig.categories.length) / maxSitemapSize);
  }

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
