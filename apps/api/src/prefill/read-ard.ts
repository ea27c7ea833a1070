import { toList, toObject, toText, toTexts, type Description, type Json } from './description.ts';

/** Reads the first agent of an ARD or AI Catalog manifest, or one entry of it; undefined if it is neither. */
export function readArd(manifest: Json, source: string): Description | undefined {
  const entries = 'entries' in manifest ? toList(manifest.entries).map(toObject) : [manifest];
  const entry = entries.find(isAgent);
  if (!entry) return undefined;
  return {
    kind: 'ard',
    source,
    name: toText(entry.displayName),
    description: toText(entry.description),
    capabilities: toTexts(entry.capabilities),
    exampleTasks: toTexts(entry.representativeQueries),
    topics: toTexts(entry.tags),
  };
}

/** Whether an entry describes an agent: a registry is none. The scheme was `urn:ai:` before. */
function isAgent({ identifier, type }: Json): boolean {
  return /^urn:air?:/.test(toText(identifier) ?? '') && type !== 'application/ai-registry+json';
}
