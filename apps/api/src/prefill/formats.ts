import {
  isAgentCard,
  readServerJson,
  takeConnections,
  textAt,
  textsAt,
  toObject,
  valuesAt,
  type DescribedField,
  type Json,
  type TakenConnections,
} from '@agent-registry/contracts';

export type Format = {
  /** Finds the object that describes an agent; undefined where there is none of the format. */
  find(value: Json): Json | undefined;
  /** The paths of each field. A list has the texts of all paths, other fields the first text. */
  fields: Partial<Record<DescribedField, readonly string[]>>;
  /** The ways to connect in a description that was read at an address. */
  connect?: (found: Json, address: string) => TakenConnections;
  /** The paths of words that may name the category. */
  topics?: readonly string[];
  /** Its name for people, if that is not the name of the file. */
  source?: string;
};

const SOFTWARE = /(?:^|[/#:])(?:Software|Web|Mobile)Application$/;

/** The formats, best first: each field comes from the first one that has it. */
export const formats = {
  /** The A2A agent card of version 0.2, 0.3 or 1.0. */
  card: {
    find: (card) => (isAgentCard(card) ? card : undefined),
    fields: {
      name: ['name'],
      description: ['description'],
      capabilities: ['skills.name', 'skills.tags'],
      exampleTasks: ['skills.examples'],
      website: ['documentationUrl'],
      apiAccess: ['url', 'supportedInterfaces.url'],
    },
    connect: (_card, card) => takeConnections(card === '' ? [] : [{ kind: 'a2a', card }]),
    topics: ['skills.tags'],
  },
  /** The first agent of an ARD or AI Catalog manifest, or one entry of it; a registry is none. The scheme was `urn:ai:` before. */
  ard: {
    find: (manifest) =>
      ('entries' in manifest ? valuesAt(manifest, 'entries') : [manifest])
        .map(toObject)
        .find(
          (entry) =>
            /^urn:air?:/.test(textAt(entry, 'identifier') ?? '') && entry.type !== 'application/ai-registry+json',
        ),
    fields: {
      name: ['displayName'],
      description: ['description'],
      capabilities: ['capabilities'],
      exampleTasks: ['representativeQueries'],
    },
    connect: (entry) => takeConnections(connectEntry(textAt(entry, 'type') ?? '', textAt(entry, 'url'))),
    topics: ['tags'],
  },
  /** An MCP `server.json` or server card. */
  mcp: {
    find(server) {
      const isServer =
        textAt(server, '$schema')?.includes('modelcontextprotocol') === true ||
        (/^[\w.-]+\/[\w.-]+$/.test(textAt(server, 'name') ?? '') && ('remotes' in server || 'packages' in server));
      return isServer ? server : undefined;
    },
    fields: {
      name: ['title', 'serverInfo.title', 'serverInfo.name'],
      apiAccess: ['remotes.url', 'transport.endpoint'],
    },
    connect: (server, address) => readServerJson({ ...readFormerTransport(server, address), ...server }),
  },
  /** The first software application of JSON-LD. */
  'json-ld': {
    find(page) {
      const nodes = valuesAt(page, 'jsonLd').flatMap((node) => [node, ...valuesAt(node, '@graph')]);
      const software = nodes.find((node) => textsAt(node, '@type').some((type) => SOFTWARE.test(type)));
      return software === undefined ? undefined : { ...toObject(software), pricing: readPricing(toObject(software)) };
    },
    fields: {
      name: ['name'],
      description: ['description'],
      capabilities: ['featureList'],
      pricingModel: ['pricing'],
    },
    topics: ['applicationCategory'],
    source: 'JSON-LD',
  },
  'open-graph': {
    find: (page) => page,
    fields: { name: ['meta.og:site_name'], description: ['meta.og:description'] },
    source: 'Open Graph',
  },
  page: {
    find: (page) => page,
    fields: { name: ['title'], description: ['meta.description'], website: ['canonical'] },
    source: 'the page',
  },
} satisfies Record<string, Format>;

/** The connection of an entry by its media type. The card of an MCP server would be one more file to read. */
function connectEntry(type: string, url: string | undefined): unknown[] {
  if (url === undefined) return [];
  const [, format] = /^application\/agent-skills\+(md|zip|gzip)$/.exec(type) ?? [];
  if (format !== undefined) return [{ kind: 'skill', url, format }];
  return type === 'application/a2a-agent-card+json' ? [{ kind: 'a2a', card: url }] : [];
}

/** The address of a server in its card, as SEP-1649 had it. */
function readFormerTransport({ transport }: Json, address: string): Json {
  const { type, endpoint } = toObject(transport);
  const url = typeof endpoint === 'string' && URL.parse(endpoint, address)?.href;
  return url ? { remotes: [{ type, url }] } : {};
}

export type FormatName = keyof typeof formats;

function readPricing(software: Json): 'free' | 'paid' | undefined {
  const prices = valuesAt(software, 'offers.price')
    .filter((price) => typeof price === 'number' || (typeof price === 'string' && price.trim() !== ''))
    .map(Number);
  if (software.isAccessibleForFree === true || prices.includes(0)) return 'free';
  return prices.some((price) => price > 0) ? 'paid' : undefined;
}
