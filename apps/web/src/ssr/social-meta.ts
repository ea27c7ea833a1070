import {
  changedAt,
  escapeBroken,
  escapeXml,
  FEED_PATH,
  getCategory,
  isCategoryId,
  JSON_FEED_PATH,
  OG_IMAGE_SIZE,
  toAgentPath,
  toBrowsePath,
  toFeedPath,
  type BrowseParams,
  type Category,
  type ListedAgent,
  type SiteConfig,
} from '@agent-registry/contracts';
import type { PageDescription } from '../pages/page-head.tsx';

export type SocialMeta = {
  description: PageDescription;
  /** The list on the home page; undefined on other pages and for a comparison. */
  browseParams?: BrowseParams;
  agent?: ListedAgent;
  /** The agents on the home page: the first cards of the list, or those that are compared. */
  agents: readonly ListedAgent[];
};

type MetaContext = { origin: string; siteConfig: SiteConfig };

/** Renders the elements of the head that only machines read: Open Graph, Twitter card, feeds, ARD. */
export function toSocialMetaTags(
  { description: page, browseParams, agent }: SocialMeta,
  { origin, siteConfig }: MetaContext,
  ardUrl: string | undefined,
): string {
  if (page.path === undefined) return '<meta name="robots" content="noindex"/>';
  const image = `${origin}${agent ? page.path : ''}/picture.png`;
  const properties = {
    'og:site_name': siteConfig.name,
    'og:type': 'website',
    'og:title': page.title,
    'og:description': page.description,
    'og:url': origin + page.path,
    'og:image': image,
    'og:image:width': String(OG_IMAGE_SIZE.width),
    'og:image:height': String(OG_IMAGE_SIZE.height),
    'og:image:alt': page.title,
  };
  return [
    ...Object.entries(properties).map(
      ([name, content]) => `<meta property="${name}" content="${escapeXml(content)}"/>`,
    ),
    // The rest is that of Open Graph.
    '<meta name="twitter:card" content="summary_large_image"/>',
    ...(browseParams ? feedLinks(browseParams) : []),
    ...(ardUrl === undefined ? [] : [`<link rel="ard" href="${escapeXml(ardUrl)}"/>`]),
  ].join('');
}

export function toStructuredData(
  { description: page, browseParams, agent, agents }: SocialMeta,
  context: MetaContext,
): string {
  if (page.path === undefined) return '';
  const { origin, siteConfig } = context;
  const category = agent?.category ?? browseParams?.category;
  const steps = category === undefined ? [] : toCategoryStep(category, siteConfig);
  const data = agent
    ? [
        describeSoftware(agent, origin, siteConfig.categories),
        describeBreadcrumbs([...steps, [agent.name, toAgentPath(agent.id)]], context),
      ]
    : [
        describeSite(context),
        ...(agents.length > 0 ? [describeList(agents, origin)] : []),
        ...(category === undefined ? [] : [describeBreadcrumbs(steps, context)]),
      ];
  return data
    .map((entry) => toDataElement('application/ld+json', { '@context': 'https://schema.org', ...entry }))
    .join('');
}

function feedLinks(params: BrowseParams): string[] {
  const feeds = [
    ['application/atom+xml', FEED_PATH],
    ['application/feed+json', JSON_FEED_PATH],
  ] as const;
  return feeds.map(
    ([type, path]) => `<link rel="alternate" type="${type}" href="${escapeXml(toFeedPath(path, params))}"/>`,
  );
}

export function toDataElement(type: string, value: unknown, id?: string): string {
  return `<script type="${type}"${id === undefined ? '' : ` id="${id}"`}>${toDataJson(value)}</script>`;
}

/** A value as JSON in which `<` is escaped, so that no text can end the script element around it. */
export function toDataJson(value: unknown): string {
  return escapeBroken(JSON.stringify(value)).replaceAll('<', String.raw`\u003c`);
}

/** The page has the name of the list, and the pages of the agents theirs. */
function describeList(agents: readonly ListedAgent[], origin: string): object {
  const itemListElement = agents.map(({ id }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    url: origin + toAgentPath(id),
  }));
  return { '@type': 'ItemList', itemListElement };
}

function describeSite({ origin, siteConfig }: MetaContext): object {
  return {
    '@type': 'WebSite',
    name: siteConfig.name,
    url: `${origin}/`,
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${origin}/?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  };
}

type Step = readonly [name: string, path: string];

/** A category that the operator has removed has no list. */
function toCategoryStep(category: string, { categories }: SiteConfig): Step[] {
  if (!isCategoryId(categories, category)) return [];
  return [[getCategory(categories, category).name, toBrowsePath({ category })]];
}

function describeBreadcrumbs(steps: readonly Step[], { origin, siteConfig }: MetaContext): object {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [[siteConfig.name, '/'] as const, ...steps].map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: origin + path,
    })),
  };
}

/** Describes an agent as a schema.org `SoftwareApplication`, without its contact address. */
function describeSoftware(agent: ListedAgent, origin: string, categories: readonly Category[]) {
  const url = origin + toAgentPath(agent.id);
  return {
    '@type': 'SoftwareApplication',
    name: agent.name,
    description: agent.description,
    url,
    image: `${url}/picture.png`,
    applicationCategory: getCategory(categories, agent.category).name,
    operatingSystem: 'Any',
    datePublished: agent.createdAt,
    dateModified: changedAt(agent),
    isAccessibleForFree: agent.pricingModel === 'free' || agent.pricingModel === 'freemium',
    ...(agent.capabilities.length > 0 && { featureList: agent.capabilities }),
    // The ratings of sample agents are invented. Their owners have addresses at example.com.
    ...(agent.reviewCount > 0 &&
      !/[.@]example\.com$/.test(agent.contactEmail ?? '') && {
        aggregateRating: {
          '@type': 'AggregateRating',
          ratingValue: agent.rating,
          reviewCount: agent.reviewCount,
          bestRating: 5,
          worstRating: 0,
        },
      }),
  };
}
