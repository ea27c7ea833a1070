import { toList, toObject, toText, toTexts, type Description, type Json } from './description.ts';

/** Reads an A2A agent card of version 0.2, 0.3 or 1.0; undefined if it is none. */
export function readAgentCard(card: Json, source: string): Description | undefined {
  const interfaces = toList(card.supportedInterfaces).map(toObject);
  const isCard = Array.isArray(card.skills) || interfaces.length > 0 || 'protocolVersion' in card;
  if (!isCard || toText(card.name) === undefined) return undefined;
  const skills = toList(card.skills).map(toObject);
  const tags = skills.flatMap(({ tags: own }) => toTexts(own));
  return {
    kind: 'card',
    source,
    name: toText(card.name),
    description: toText(card.description),
    capabilities: [...skills.flatMap(({ name }) => toText(name) ?? []), ...tags],
    exampleTasks: skills.flatMap(({ examples }) => toTexts(examples)),
    website: toText(toObject(card.provider).url) ?? toText(card.documentationUrl),
    hasApi: toText(card.url) !== undefined || interfaces.some(({ url }) => toText(url) !== undefined),
    topics: tags,
  };
}
