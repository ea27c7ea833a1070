import { toList, toObject, toText, toTexts, type Description, type Json } from './description.ts';

const SOFTWARE = /(?:^|[/#:])(?:Software|Web|Mobile)Application$/;

/** Reads the first software application of JSON-LD scripts; undefined without one. */
export function readJsonLd(values: readonly unknown[]): Description | undefined {
  const nodes = values
    .flatMap(toList)
    .map(toObject)
    .flatMap((node) => [node, ...toList(node['@graph']).map(toObject)]);
  const software = nodes.find((node) => toTexts(node['@type']).some((type) => SOFTWARE.test(type)));
  if (!software) return undefined;
  return {
    kind: 'json-ld',
    source: 'JSON-LD',
    name: toText(software.name),
    description: toText(software.description),
    capabilities: toTexts(software.featureList),
    pricingModel: readPricing(software),
    topics: toTexts(software.applicationCategory),
  };
}

function readPricing({ isAccessibleForFree, offers }: Json): 'free' | 'paid' | undefined {
  const prices = toList(offers)
    .map((offer) => toObject(offer).price)
    .filter((price) => typeof price === 'number' || toText(price) !== undefined)
    .map(Number);
  if (isAccessibleForFree === true || prices.includes(0)) return 'free';
  return prices.some((price) => price > 0) ? 'paid' : undefined;
}
