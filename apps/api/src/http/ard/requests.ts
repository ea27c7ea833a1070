import {
  formatCount,
  MAX_NAMED_FIELDS,
  MAX_QUERY_LENGTH,
  nameUnknownField,
  orNone,
  parseCursor,
  storable,
} from '@agent-registry/contracts';
import { z } from 'zod';

const MAX_PAGE_SIZE = 100;
const PAGE_SIZE = `pageSize must be a whole number from 1 to ${MAX_PAGE_SIZE}`;
const pageSizeSchema = z.int(PAGE_SIZE).min(1, PAGE_SIZE).max(MAX_PAGE_SIZE, PAGE_SIZE);
const pageSizeText = z
  .string(PAGE_SIZE)
  .regex(/^\d{1,3}$/, PAGE_SIZE)
  .transform(Number)
  .pipe(pageSizeSchema);
const PAGE_TOKEN = 'pageToken must be that of an earlier page';
const pageTokenSchema = orNone(z.string(PAGE_TOKEN).refine((text) => parseCursor(text), PAGE_TOKEN));
const FEDERATION = 'federation must be auto, referrals or none';
const TEXT = 'query.text is required: the text to search for';

function describeObject(name: string) {
  return (issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType | z.core.$ZodIssueUnrecognizedKeys>): string =>
    issue.code === 'unrecognized_keys'
      ? `${name} has fields that are not accepted: ${issue.keys.slice(0, MAX_NAMED_FIELDS).map(nameUnknownField).join(', ')}`
      : `${name} must be a JSON object`;
}

/** Whether a field says nothing: null or empty, as programs send what they leave out, or an extension. */
function isAbsent([name, value]: [string, unknown]): boolean {
  return value === null || value === '' || /^x-/i.test(name);
}

/** An object whose fields may be absent in any way. */
function looseObject<Shape extends z.core.$ZodLooseShape>(name: string, shape: Shape) {
  return z.preprocess(
    (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).filter((entry) => !isAbsent(entry)))
        : value,
    z.strictObject(shape, { error: describeObject(name) }),
  );
}

function valuesSchema(name: string) {
  const error = `query.filter.${name} must be a text or a list of texts`;
  return z
    .union([z.string(error), z.array(z.string(error), error).min(1, error)], error)
    .transform((values) => new Set([values].flat()))
    .optional();
}

/** A search. Each filter must match; `@context` may say what their names mean, and changes nothing. */
export const searchSchema = looseObject('The body', {
  query: looseObject('query', {
    '@context': z.unknown().optional(),
    text: z
      .string(TEXT)
      .trim()
      .min(1, TEXT)
      .max(MAX_QUERY_LENGTH, `query.text can have at most ${formatCount(MAX_QUERY_LENGTH)} characters`)
      .refine(...storable('query.text')),
    filter: looseObject('query.filter', {
      type: valuesSchema('type'),
      tags: valuesSchema('tags'),
      capabilities: valuesSchema('capabilities'),
    }).default({}),
  }),
  federation: z.enum(['auto', 'referrals', 'none'], FEDERATION).optional(),
  pageSize: z.union([pageSizeSchema, pageSizeText], PAGE_SIZE).default(10),
  pageToken: pageTokenSchema,
});

const UNSUPPORTED = orNone(z.undefined('filter and orderBy are not supported; POST /ard/search has filters'));

/** A page of the list. Its order and its entries cannot be chosen, which is better said than ignored. */
export const listSchema = z.object({
  pageSize: orNone(pageSizeText).default(20),
  pageToken: pageTokenSchema,
  filter: UNSUPPORTED,
  orderBy: UNSUPPORTED,
});

export const catalogSchema = listSchema.pick({ pageToken: true });
