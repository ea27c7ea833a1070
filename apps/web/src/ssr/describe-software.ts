import { changedAt, getCategory, toAgentPath, type Category, type ListedAgent } from '@agent-registry/contracts';

/** Describes an agent as a schema.org `SoftwareApplication`, without its contact address. */
export function describeSoftware(agent: ListedAgent, origin: string, categories: readonly Category[]) {
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
    ...(agent.reviewCount > 0 &&
      !isInvented(agent) && {
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

/** Whether this is a sample agent, whose rating is invented: their owners have addresses at example.com. */
function isInvented({ contactEmail }: ListedAgent): boolean {
  return contactEmail !== null && /[.@]example\.com$/.test(contactEmail);
}
