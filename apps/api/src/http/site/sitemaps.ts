import { changedAt, listCategoryIds, toAgentPath, type ListedAgent } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { createPathNotFoundError } from '../../http-error.ts';
import type { ProducedResponse } from '../cache/entries.ts';
import type { Surface } from '../api/surface.ts';

/** The largest number of URLs in one sitemap, by the sitemap protocol. */
const MAX_SITEMAP_SIZE = 50_000;
/** The name of the part with home and the categories. */
const PAGES = 'pages';

type SitemapsOptions = Pick<Surface, 'siteConfig' | 'agents' | 'cache' | 'readVersion' | 'toOrigin'> & {
  maxSitemapSize?: number | undefined;
};

/** Serves the sitemap; where there are too many URLs for one, an index of one for each month in which agents were listed. */
export function registerSitemaps(
  app: FastifyInstance,
  { siteConfig, agents, cache, readVersion, toOrigin, maxSitemapSize: size = MAX_SITEMAP_SIZE }: SitemapsOptions,
): void {
  const pages = [
    { path: '/', category: undefined },
    ...listCategoryIds(siteConfig.categories).map((id) => ({ path: `/?category=${id}`, category: id })),
  ];

  app.get(
    '/sitemap.xml',
    cache.route({
      readKind: 'sitemap',
      readVersion,
      originOf: toOrigin,
      async produce(request) {
        const origin = toOrigin(request);
        const isShort = (await agents.count()) + pages.length <= size;
        return isShort ? writeSitemap(origin, pages, () => agents.stream()) : writeIndex(origin);
      },
    }),
  );

  app.get(
    String.raw`/sitemap-:part(^[a-z\d-]{1,20}).xml`,
    cache.route({
      readKind: 'sitemap',
      readVersion,
      parse: ({ params }) => (params as { part: string }).part,
      originOf: toOrigin,
      async produce(request, name) {
        if (name === PAGES) return writeSitemap(toOrigin(request), pages);
        const [, month, part] = /^(\d{4}-\d\d)-([1-9]\d{0,5})$/.exec(name) ?? [];
        if (month === undefined) throw createPathNotFoundError();
        const listed = await agents.streamPart({ month, part: Number(part), size });
        if (!listed) throw createPathNotFoundError();
        return writeSitemap(toOrigin(request), [], () => listed);
      },
    }),
  );

  async function writeIndex(origin: string): Promise<ProducedResponse> {
    const toItem = (name: string, changed: string | undefined) =>
      `<sitemap><loc>${origin}/sitemap-${name}.xml</loc>${toLastModified(changed)}</sitemap>\n`;
    const items = [toItem(PAGES, await agents.lastChange())];
    for (const month of await agents.listMonths()) {
      const dates = await agents.datePartsOf(month, size);
      items.push(...dates.map((changed, index) => toItem(`${month}-${index + 1}`, changed)));
    }
    return toResponse(`${XML}<sitemapindex xmlns="${NAMESPACE}">\n${items.join('')}</sitemapindex>\n`);
  }

  function writeSitemap(
    origin: string,
    listed: typeof pages,
    read: () => AsyncIterable<ListedAgent[]> | [] = () => [],
  ): ProducedResponse {
    return toResponse(async function* () {
      yield `${XML}<urlset xmlns="${NAMESPACE}">\n`;
      for (const { path, category } of listed) yield toEntry(origin + path, await agents.lastChange(category));
      for await (const chunk of read()) {
        yield chunk.map((agent) => toEntry(origin + toAgentPath(agent.id), changedAt(agent))).join('');
      }
      yield '</urlset>\n';
    });
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
