import {
  allAgentsRequestSchema,
  createFacetsRequestSchema,
  describeSubject,
  escapeXml,
  FEED_PATH,
  getCategory,
  JSON_FEED_PATH,
  nameWebsite,
  orNone,
  toAgentPath,
  toBrowsePath,
  toFeedPath,
  type BrowseParams,
  type SiteConfig,
} from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { LatestAgents } from '../../agents/agent-lists.ts';
import type { ListFilters } from '../../agents/list-selection.ts';
import { parseRequest } from '../../registry-error.ts';
import type { Surface } from '../api/surface.ts';

const FEED_SIZE = 30;

type FeedList = ListFilters &
  Pick<Partial<BrowseParams>, 'text' | 'correct'> & {
    /** What must have changed; anything by default. */
    changed?: 'tools' | undefined;
  };

type Feed = Pick<LatestAgents, 'latest'> & {
  list: FeedList;
  /** When the registry began, for a feed without entries. */
  begunAt: string;
  origin: string;
  siteConfig: SiteConfig;
};

/** Serves the feeds of all lists and searches, as Atom (RFC 4287) and as JSON Feed 1.1. */
export function registerFeeds(
  app: FastifyInstance,
  { siteConfig, createContext, cache, readVersion, toOrigin }: Surface,
): void {
  const { website } = allAgentsRequestSchema.shape;
  const schema = createFacetsRequestSchema(siteConfig.categories).extend({
    website,
    changed: orNone(z.literal('tools', 'changed must be tools')),
  });
  const formats = [
    { path: FEED_PATH, type: 'application/atom+xml; charset=utf-8', write: writeAtom },
    { path: JSON_FEED_PATH, type: 'application/feed+json; charset=utf-8', write: writeJsonFeed },
  ];
  for (const { path, type, write } of formats) {
    app.get(
      path,
      cache.route({
        readVersion,
        parse: parseList,
        originOf: toOrigin,
        async produce(request, list) {
          const { agents } = createContext(request);
          const { latest } = await agents.latest({ ...list, limit: FEED_SIZE });
          const begunAt = latest.length > 0 ? '' : await agents.begunAt();
          const feed = { list, latest, begunAt, origin: toOrigin(request), siteConfig };
          return { headers: { 'content-type': type }, body: write(feed) };
        },
      }),
    );
  }

  function parseList({ query }: FastifyRequest): FeedList {
    const { category, q: text, correct, ...filters } = parseRequest(schema, query);
    if (category !== undefined) return { ...filters, category };
    return text === undefined ? filters : { ...filters, text, ...(correct === false && { correct }) };
  }
}

function describeFeed({ list, siteConfig: { name, categories, sharedHosts } }: Feed): string {
  const { website } = list;
  const site = website === undefined ? undefined : (nameWebsite(website, sharedHosts)?.name ?? website);
  const what = list.changed ? 'agents with other tools' : 'new and changed agents';
  const agents = `${name}: ${what}${site === undefined ? '' : ` of ${site}`}`;
  const subject = describeSubject(list, categories);
  return subject === '' ? agents : `${agents} ${list.category === undefined ? 'that match' : 'in'} ${subject}`;
}

/** Adds the website of a list, and what changed, which pages have no parameters for. */
function addOwn(path: string, { website, changed }: FeedList): string {
  const own = new URLSearchParams({ ...(website !== undefined && { website }), ...(changed && { changed }) });
  return own.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${own.toString()}`;
}

function writeAtom(feed: Feed): string {
  const { list, latest, begunAt, origin, siteConfig } = feed;
  const entries = latest.map(
    ({ agent: { id, name, description, category, createdAt }, changedAt }) => `<entry>
<id>urn:uuid:${id}</id>
<title>${escapeXml(name)}</title>
<link href="${origin}${toAgentPath(id)}"/>
<published>${createdAt}</published>
<updated>${changedAt}</updated>
<category term="${escapeXml(category)}" label="${escapeXml(getCategory(siteConfig.categories, category).name)}"/>
<summary>${escapeXml(description)}</summary>
</entry>
`,
  );
  const page = origin + toBrowsePath(list);
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeXml(addOwn(page, list))}</id>
<title>${escapeXml(describeFeed(feed))}</title>
<author><name>${escapeXml(siteConfig.name)}</name></author>
<link href="${escapeXml(page)}"/>
<link rel="self" href="${escapeXml(origin + addOwn(toFeedPath(FEED_PATH, list), list))}"/>
<updated>${latest[0]?.changedAt ?? begunAt}</updated>
${entries.join('')}</feed>
`;
}

function writeJsonFeed(feed: Feed): string {
  const { list, latest, origin, siteConfig } = feed;
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: describeFeed(feed),
    home_page_url: origin + toBrowsePath(list),
    feed_url: origin + addOwn(toFeedPath(JSON_FEED_PATH, list), list),
    authors: [{ name: siteConfig.name, url: `${origin}/` }],
    items: latest.map(({ agent: { id, name, description, category, createdAt }, changedAt }) => ({
      id: `urn:uuid:${id}`,
      url: origin + toAgentPath(id),
      title: name,
      content_text: description,
      date_published: createdAt,
      date_modified: changedAt,
      tags: [getCategory(siteConfig.categories, category).name],
    })),
  });
}
