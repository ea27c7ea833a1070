import {
  connectsOf,
  cutText,
  filterFaults,
  filterTexts,
  filters,
  followedAgentSchema,
  isProved,
  listCategoryIds,
  MAX_QUERY_LENGTH,
  parseCursor,
  readFilter,
  storable,
  toAgentPath,
  totalBoundSchema,
  toValues,
  type FilterName,
  type ListedAgent,
  type SiteConfig,
} from '@agent-registry/contracts';
import { z } from 'zod';
import { searchAgents, type PublicReads, type PublicSearch } from '../api/public-reads.ts';

/** Most agents in one result of a search: a model reads all of it. */
const MAX_RESULTS = 20;
const DEFAULT_RESULTS = 10;
/** The longest description in a result of a search, in characters. */
const MAX_DESCRIPTION = 300;

/** What the tools work with. */
export type ToolContext = PublicReads & {
  siteConfig: SiteConfig;
  /** Where visitors reach the registry, such as `https://registry.example`. */
  origin: string;
};

// Objects of results are loose: strict clients drop a whole result for a field that its schema does not name.

const searchOutput = z.looseObject({
  agents: z.array(
    z.looseObject({
      ...z.object(followedAgentSchema.shape).pick({
        id: true,
        name: true,
        category: true,
        capabilities: true,
        pricingModel: true,
        apiAccess: true,
      }).shape,
      proved: z.boolean().meta({ description: 'Whether its owner proved to control the website.' }),
      connects: z.array(z.string()).meta({ description: 'The ways to connect to it: mcp, a2a, skill, openapi.' }),
      description: z.string().meta({ description: `The first ${MAX_DESCRIPTION} characters of the description.` }),
      url: z.string().meta({ description: 'The page of the agent.' }),
    }),
  ),
  total: z.int().meta({ description: 'The number of all results.' }),
  totalBound: totalBoundSchema.optional(),
  full: z
    .int()
    .optional()
    .meta({ description: 'How many of the results have all words of the text; those with some follow them.' }),
  next: z.string().optional().meta({ description: 'The cursor of the results that follow, if there are more.' }),
  correctedQuery: z
    .string()
    .optional()
    .meta({ description: 'The text without the typing errors that were corrected to find the first agent.' }),
});

/** The texts of the filters that take one value here. */
const singleTexts: Partial<Record<FilterName, { description: string }>> = {
  pricing: { description: 'Only agents with this pricing model.' },
  apiAccess: { description: 'Only agents with this kind of API access.' },
};

const toInputName = (name: FilterName) => (name === 'pricing' ? 'pricingModel' : name);

const filterInputs = Object.fromEntries<unknown>(
  filters.map((filter) => {
    const { name } = filter;
    const input =
      filter.kind === 'options'
        ? toOneOrSeveral(z.enum(toValues(filter)), name)
        : z.string().refine((text) => readFilter(filter, [text]) !== null, filterFaults[filter.name]);
    return [toInputName(name), input.optional().meta({ ...filterTexts[name], ...singleTexts[name] })];
  }),
) as Record<ReturnType<typeof toInputName>, z.ZodOptional<z.ZodType<string | string[]>>>;

/** Several ways to connect mean any of them; other filters take one value. */
function toOneOrSeveral(value: z.ZodType<string>, name: FilterName) {
  return name === 'connects' ? z.union([value, z.array(value)]) : value;
}

const optionInputs = new Set<string>(
  filters.flatMap(({ kind, name }) => (kind === 'options' ? [toInputName(name)] : [])),
);

/** The input of a search as models write it: null or nothing for what they leave out, names of categories, and capitals. */
function readLoosely(given: unknown, categories: SiteConfig['categories']): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const entries = Object.entries(given).flatMap(([name, value]: [string, unknown]) => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return [];
    if (name === 'category') return [[name, findCategory(value, categories)]];
    return [[name, optionInputs.has(name) ? toOptions(value) : value]];
  });
  return Object.fromEntries(entries) as object;
}

function findCategory(given: unknown, categories: SiteConfig['categories']): unknown {
  const wanted = typeof given === 'string' ? given.trim().toLowerCase() : given;
  return categories.find(({ id, name }) => [id, name].some((text) => text.toLowerCase() === wanted))?.id ?? given;
}

/** One or several values; several may be one text with commas. */
function toOptions(given: unknown): unknown {
  const texts: unknown[] = Array.isArray(given) ? given : [given];
  if (!texts.every((text) => typeof text === 'string')) return given;
  const values = texts.flatMap((text) => text.split(',')).map((text) => text.trim().toLowerCase());
  return values.length === 1 ? values[0] : values;
}

function createSearchInput({ categories }: SiteConfig) {
  const schema = z.object({
    query: z
      .string()
      .trim()
      .min(1)
      .max(MAX_QUERY_LENGTH)
      .refine(...storable('query'))
      .meta({ description: 'The text to search for, in a few words, such as "translate contracts".' }),
    category: z
      .enum(listCategoryIds(categories))
      .optional()
      .meta({ description: 'Only agents of this category, of the best 1,000 results.' }),
    ...filterInputs,
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(MAX_RESULTS)
      .default(DEFAULT_RESULTS)
      .meta({ description: 'The largest number of agents in the result.' }),
    cursor: z
      .string()
      .refine((text) => parseCursor(text), 'cursor must be the `next` of an earlier result')
      .optional()
      .meta({ description: 'The `next` of an earlier result of the same search, for the agents after it.' }),
  });
  return z.preprocess((given) => readLoosely(given, categories), schema);
}

/** The search: finds agents by a text. */
export function createSearchTool({ siteConfig, origin, ...reads }: ToolContext) {
  const input = createSearchInput(siteConfig);
  return {
    title: `Search ${siteConfig.name}`,
    description: `Searches ${siteConfig.name}, a public directory of ${siteConfig.subject}, for agents whose name, capabilities or description match a text. Best match first.`,
    input,
    output: searchOutput,
    async run({ query, category, limit, cursor, ...others }: z.output<typeof input>) {
      const chosen = filters.map((filter) => {
        const given = others[toInputName(filter.name)];
        return [filter.name, readFilter(filter, given === undefined ? [] : [given].flat())];
      });
      const search: PublicSearch = { ...Object.fromEntries(chosen), text: query, limit, after: cursor };
      const isKept = category === undefined ? undefined : (agent: ListedAgent) => agent.category === category;
      const { agents, total, totalBound, full, next, correction } = await searchAgents(reads, search, isKept);
      return { agents: agents.map(summarize), total, totalBound, full, next, correctedQuery: correction };
    },
  };

  function summarize(agent: ListedAgent) {
    const { id, name, description, category, capabilities, pricingModel, apiAccess } = agent;
    const short = cutText(description, MAX_DESCRIPTION - 1);
    const isWhole = short.length === description.length;
    const url = origin + toAgentPath(id);
    return {
      id,
      name,
      description: isWhole ? description : `${short}…`,
      category,
      capabilities,
      pricingModel,
      apiAccess,
      proved: isProved(agent),
      connects: connectsOf(agent),
      url,
    };
  }
}

/** The reading of one agent. */
export function createGetTool({ siteConfig, origin, read }: ToolContext) {
  const input = z.object({
    id: z.string().trim().meta({ description: 'The id of the agent, a UUID, from a result of search_agents.' }),
  });
  const output = z.looseObject({
    ...followedAgentSchema.shape,
    url: z.string().meta({ description: 'The page of the agent.' }),
  });
  return {
    title: `Read an agent of ${siteConfig.name}`,
    description: `Reads one agent of ${siteConfig.name} by its id: the whole description, capabilities, website, pricing, API access and rating.`,
    input,
    output,
    async run({ id }: z.output<typeof input>) {
      // Without the contact address.
      const agent = followedAgentSchema.parse(await read('agents.get', { id }));
      return { ...agent, url: origin + toAgentPath(agent.id) };
    },
  };
}

/** The list of the categories. */
export function createCategoriesTool({ siteConfig, read }: ToolContext) {
  const input = z.object({});
  const output = z.looseObject({
    categories: z.array(
      z.looseObject({
        id: z.string().meta({ description: 'The id, for the parameter category of search_agents.' }),
        name: z.string(),
        agents: z.int().meta({ description: 'The number of agents in the category.' }),
      }),
    ),
  });
  return {
    title: `List the categories of ${siteConfig.name}`,
    description: `Lists the categories of ${siteConfig.name} with the number of agents in each.`,
    input,
    output,
    async run() {
      const { agentsPerCategory } = await read('stats.get');
      const categories = siteConfig.categories.map(({ id, name }) => ({
        id,
        name,
        agents: agentsPerCategory[id] ?? 0,
      }));
      return { categories };
    },
  };
}
