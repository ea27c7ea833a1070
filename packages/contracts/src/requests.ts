import { z } from 'zod';
import { MAX_CAPABILITY_LENGTH, MAX_WEBSITE_LENGTH } from './fields.ts';
import { agentIdSchema, EXAMPLE_AGENT_ID } from './agent.ts';
import { hasOneStart, listParameters, type ListStart } from './browse-params.ts';
import { isCategoryId, type Category, type CategoryId } from './category.ts';
import { toMaxUnits } from './characters.ts';
import { describeUnknownCategory, toCategoryMeta } from './new-agent.ts';
import { parseChangesCursor } from './changes.ts';
import { filters, toValues, type AgentFilters, type FilterName, type TextFilterName, sortValues } from './filters.ts';
import { formatCount } from './format.ts';
import type { ReadName } from './endpoints.ts';
import { isWebAddress } from './website.ts';
import { booleanSchema, limitSchema, optionsSchema, orNone, parameterSchema, storable } from './request-parameters.ts';
import {
  MAX_CHANGES,
  MAX_PAGE_SIZE,
  MAX_QUERY_BYTES,
  MAX_QUERY_LENGTH,
  MAX_SEARCH_LENGTH,
  MIN_SUGGEST_LENGTH,
} from './request-limits.ts';
import { isSuggestible } from './word-patterns.ts';

export const filterTexts = {
  pricing: { description: 'Only agents with one of these pricing models.' },
  apiAccess: { description: 'Only agents with one of these kinds of API access.' },
  connects: { description: 'Only agents to which one can connect in one of these ways.' },
  proved: { description: 'yes: only agents whose owner proved to control the website, or the page of it.' },
  capability: {
    description: `Only agents with this capability of 2 to ${MAX_CAPABILITY_LENGTH} characters. Case, accents, blanks and punctuation do not matter.`,
    minLength: 2,
    maxLength: toMaxUnits(MAX_CAPABILITY_LENGTH),
    examples: ['code review'],
  },
  since: { description: 'Only agents first listed since this day in UTC.', format: 'date', examples: ['2026-11-18'] },
} satisfies Record<FilterName, z.core.GlobalMeta>;

export const filterFaults = {
  capability: `capability must be one capability of 2 to ${MAX_CAPABILITY_LENGTH} characters, such as code review`,
  since: 'since must be a date, such as 2026-11-18',
} satisfies Record<TextFilterName, string>;

function cursorSchema(name: keyof ListStart, description: string) {
  const fault = `${name} must be a cursor of this registry, or the id of an agent`;
  return parameterSchema(listParameters[name], z.string(fault).describe(description));
}

const filtersShape = Object.fromEntries<unknown>(
  filters.map((filter) => {
    const texts = filterTexts[filter.name];
    if (filter.kind === 'options') return [filter.name, optionsSchema(filter.name, toValues(filter), texts)];
    return [filter.name, parameterSchema(listParameters[filter.name], z.string(filterFaults[filter.name]).meta(texts))];
  }),
) as {
  [Name in FilterName]: z.ZodOptional<z.ZodType<NonNullable<AgentFilters[Name]>, NonNullable<AgentFilters[Name]>>>;
};

/**
 * The fields of a list request: its filters, its order and the page of it. The whole list without a page, a page of the
 * largest size with `after` or `before` alone. `position` asks for the position of the page.
 */
const listRequestShape = {
  ...filtersShape,
  sort: parameterSchema(
    listParameters.sort,
    z
      .enum(sortValues, `sort must be one of ${sortValues.join(', ')}`)
      .describe('The order. Without it, lists are newest first and searches best match first.'),
  ),
  limit: orNone(limitSchema(MAX_PAGE_SIZE).describe('How many agents a page has at most.')),
  after: cursorSchema(
    'after',
    'The cursor of the next page, from Link, or the id of the last agent of the page before.',
  ),
  before: cursorSchema(
    'before',
    'The cursor of the page before, from Link, or the id of the first agent of the page after.',
  ),
  position: orNone(
    booleanSchema('position').describe('Whether the response tells the position of the page in the list.'),
  ),
};

function checkStart(list: ListStart, context: z.RefinementCtx): void {
  if (!hasOneStart(list)) context.addIssue({ code: 'custom', message: 'Only one of after and before can be used' });
}

const WEBSITE = 'website must be one http or https address, such as https://example.com';

export const allAgentsRequestSchema = z
  .object({
    ...listRequestShape,
    website: orNone(
      z
        .string(WEBSITE)
        .max(MAX_WEBSITE_LENGTH, `website can have at most ${formatCount(MAX_WEBSITE_LENGTH)} characters`)
        .refine(isWebAddress, WEBSITE)
        .meta({
          description: 'Only agents with this website. The scheme, www. and a slash at the end do not matter.',
          examples: ['https://example.com'],
        }),
    ),
  })
  .superRefine(checkStart);

// Not the schema of zod/mini, which has no `optional` and no `meta`.
function createCategorySchema(categories: readonly Category[]): z.ZodType<CategoryId, CategoryId> {
  const error = describeUnknownCategory(categories);
  return z
    .string(error)
    .refine((text) => isCategoryId(categories, text), error)
    .meta(toCategoryMeta(categories, 'The id of a category.'));
}

function textSchema(maxLength: number) {
  return z
    .string({
      error: (issue) => (issue.input === undefined ? 'q is required: the text to search for' : 'q must be one text'),
    })
    .trim()
    .min(1, { error: 'q must not be blank: it is the text to search for', abort: true })
    .max(maxLength, { error: `q can have at most ${formatCount(maxLength)} characters`, abort: true })
    .refine(...storable('q'));
}

const searchTextSchema = textSchema(MAX_QUERY_LENGTH)
  .refine(
    (q) => encodeURIComponent(q.toWellFormed()).length <= MAX_QUERY_BYTES,
    `q can have at most ${formatCount(MAX_QUERY_BYTES)} bytes as it is percent-encoded`,
  )
  .meta({ description: 'The text to search for.', examples: ['translate'] });

const correctSchema = parameterSchema(
  listParameters.correct,
  z
    .boolean('correct must be true or false')
    .describe('false for the search as typed, without corrections and synonyms.'),
);

/** A search: trimmed text of 1 to 1,000 characters. Without a part the first 1,000 results are returned. */
export const searchRequestSchema = z
  .object({ ...listRequestShape, q: searchTextSchema, correct: correctSchema })
  .superRefine(checkStart);

const SUGGEST_LENGTH = `q must have at least ${MIN_SUGGEST_LENGTH} characters: it is the beginning of a name or a capability`;

/** A beginning for which suggestions are wanted: trimmed text of 2 to 200 characters, or 1 of a script without blanks. */
export const suggestRequestSchema = z.object({
  q: textSchema(MAX_SEARCH_LENGTH)
    .refine(isSuggestible, SUGGEST_LENGTH)
    .meta({
      description: `The beginning of a name or a capability: at least ${MIN_SUGGEST_LENGTH} characters, or one of Chinese, Japanese, Korean or Thai.`,
      examples: ['trans'],
    }),
});

/** Creates the schema of the list whose facets are counted: that of a category, else of a text, else of all agents. */
export function createFacetsRequestSchema(categories: readonly Category[]) {
  return z.object({
    category: orNone(createCategorySchema(categories)),
    q: orNone(searchTextSchema),
    correct: correctSchema,
    ...filtersShape,
  });
}

export const agentRequestSchema = z.object({
  id: agentIdSchema.meta({ description: 'The id of the agent.', examples: [EXAMPLE_AGENT_ID] }),
});

const CHANGES_CURSOR = 'after must be a cursor of the change log, from next';

/** A page of the change log; from its first change without `after`. */
export const changesRequestSchema = z.object({
  after: orNone(
    z
      .string(CHANGES_CURSOR)
      .refine((text) => parseChangesCursor(text), CHANGES_CURSOR)
      .describe('The cursor of an earlier answer, from next. Without it, from the first change.'),
  ),
  limit: orNone(
    limitSchema(MAX_CHANGES).describe(
      `How many changes a page has at most; ${MAX_CHANGES} by default, and with agents at most ${MAX_PAGE_SIZE}.`,
    ),
  ),
  include: orNone(
    z
      .enum(['agents'], 'include must be agents')
      .describe('agents: with the agents that are still listed, without their contact addresses.'),
  ),
});

/** Creates the schema of each read's request: its query parameters, with those of its path. The statistics have none. */
export function createReadRequests(categories: readonly Category[]) {
  return {
    'agents.list': allAgentsRequestSchema,
    'agents.byCategory': z
      .object({ ...listRequestShape, category: createCategorySchema(categories) })
      .superRefine(checkStart),
    'agents.search': searchRequestSchema,
    'agents.suggest': suggestRequestSchema,
    'agents.facets': createFacetsRequestSchema(categories),
    'agents.get': agentRequestSchema,
    'agents.history': agentRequestSchema,
    'agents.facts': agentRequestSchema,
    'changes.list': changesRequestSchema,
    'stats.get': z.object({}),
  } satisfies Record<ReadName, z.ZodObject>;
}

export type ReadRequests = ReturnType<typeof createReadRequests>;
export type AgentListRequest = z.output<typeof allAgentsRequestSchema>;
