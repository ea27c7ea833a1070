import {
  filterFaults,
  filterTexts,
  filters,
  listCategoryIds,
  MAX_QUERY_LENGTH,
  parseCursor,
  readFilter,
  storable,
  toValues,
  type FilterName,
  type SiteConfig,
} from '@agent-registry/contracts';
import { z } from 'zod';

/** Most agents in one result of a search: a model reads all of it. */
const MAX_RESULTS = 20;

const singleTexts: Partial<Record<FilterName, { description: string }>> = {
  pricing: { description: 'Only agents with this pricing model.' },
  apiAccess: { description: 'Only agents with this kind of API access.' },
};

export const toInputName = (name: FilterName) => (name === 'pricing' ? 'pricingModel' : name);

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
    const isBlank = typeof value === 'string' && value.trim() === '';
    if (value === null || isBlank || (Array.isArray(value) && value.length === 0)) return [];
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

export function createSearchInput({ categories }: SiteConfig) {
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
      .default(10)
      .meta({ description: 'The largest number of agents in the result.' }),
    cursor: z
      .string()
      .refine((text) => parseCursor(text), 'cursor must be the `next` of an earlier result')
      .optional()
      .meta({ description: 'The `next` of an earlier result of the same search, for the agents after it.' }),
  });
  return z.preprocess((given) => readLoosely(given, categories), schema);
}
