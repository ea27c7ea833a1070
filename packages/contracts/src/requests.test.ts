import { describe, expect, test } from 'vitest';
import { categoryIds, defaultCategories } from './category.ts';
import {
  agentRequestSchema,
  allAgentsRequestSchema,
  createReadRequests,
  searchRequestSchema,
  suggestRequestSchema,
} from './requests.ts';
import { idempotencyKeySchema } from './owner-requests.ts';
import { MAX_PAGE_SIZE } from './request-limits.ts';

const categoryRequestSchema = createReadRequests(defaultCategories)['agents.byCategory'];

type Schema = { safeParse(value: unknown): { error?: { issues: { path: PropertyKey[]; message: string }[] } } };

/** The field and the message of each issue of a request. */
function refusals(schema: Schema, request: unknown): string[] {
  return (schema.safeParse(request).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const CAPABILITY = 'capability: capability must be one capability of 2 to 60 characters, such as code review';

const id = '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f';

describe('a request for the list', () => {
  test('may be empty', () => {
    expect(allAgentsRequestSchema.parse({})).toEqual({});
  });

  test.each([
    ['1', 1],
    ['200', MAX_PAGE_SIZE],
    [200, 200],
    ['', undefined],
  ])('may have a limit of %j', (limit, expected) => {
    expect(allAgentsRequestSchema.parse({ limit })).toEqual({ limit: expected });
  });

  test.each([
    '0',
    '-1',
    '201',
    '1.5',
    'ten',
    'Infinity',
    '0x2',
    '0b1',
    '1e2',
    ' 5',
    '5 ',
    '+5',
    '٥',
    '9'.repeat(400),
    0,
    1.5,
    201,
    Infinity,
    null,
    true,
    ['1'],
    ['1', '2'],
    {},
  ])('is refused with a limit of %j', (limit) => {
    expect(refusals(allAgentsRequestSchema, { limit })).toEqual(['limit: limit must be a whole number from 1 to 200']);
  });

  test('may begin after an agent, whose id is lower-cased, or nowhere', () => {
    expect(allAgentsRequestSchema.parse({ after: '' })).toEqual({});
    expect(allAgentsRequestSchema.parse({ after: id.toUpperCase() })).toEqual({ after: id });
  });

  test.each(['1', [id, id]])('is refused when it begins after %j, which is no id', (after) => {
    expect(refusals(allAgentsRequestSchema, { after })).toEqual([
      'after: after must be a cursor of this registry, or the id of an agent',
    ]);
  });
});

describe('a search', () => {
  test('is trimmed', () => {
    expect(searchRequestSchema.parse({ q: ' \tc++  help\n' })).toEqual({ q: 'c++  help' });
  });

  test('is corrected unless it asks for none', () => {
    expect(searchRequestSchema.parse({ q: 'c', correct: 'false' })).toEqual({ q: 'c', correct: false });
    expect(refusals(searchRequestSchema, { q: 'c', correct: 'no' })).toEqual([
      'correct: correct must be true or false',
    ]);
  });

  test('may have 1,000 characters after trimming, and not one more, nor too many bytes in an address', () => {
    const q = 'q'.repeat(1_000);
    expect(searchRequestSchema.parse({ q: ` ${q} ` })).toEqual({ q });
    expect(refusals(searchRequestSchema, { q: `${q}q` })).toEqual(['q: q can have at most 1,000 characters']);
    const letters = 'é'.repeat(1_000);
    expect(searchRequestSchema.parse({ q: letters })).toEqual({ q: letters });
    expect(refusals(searchRequestSchema, { q: '写'.repeat(667) })).toEqual([
      'q: q can have at most 6,000 bytes as it is percent-encoded',
    ]);
    expect(refusals(suggestRequestSchema, { q: 'q'.repeat(201) })).toEqual(['q: q can have at most 200 characters']);
  });

  test.each([
    [{}, 'q: q is required: the text to search for'],
    [{ q: '' }, 'q: q must not be blank: it is the text to search for'],
    [{ q: ' \t\u00A0' }, 'q: q must not be blank: it is the text to search for'],
    [{ q: ['a', 'b'] }, 'q: q must be one text'],
    [{ q: 5 }, 'q: q must be one text'],
    ...['\uD800', 'a\uDC00', 'a\0b'].flatMap((text): [object, string][] => [
      [{ q: `${text} gardening` }, 'q: q must be valid Unicode without the character U+0000'],
      [{ q: 'a', capability: `code ${text}` }, CAPABILITY],
    ]),
  ])('is refused as %j', (request, refusal) => {
    expect(refusals(searchRequestSchema, request)).toEqual([refusal]);
  });
});

test('a request for a category takes the six ids', () => {
  for (const category of categoryIds) expect(categoryRequestSchema.parse({ category })).toEqual({ category });
});

test('a request for any other category is refused with the six ids', () => {
  expect(refusals(categoryRequestSchema, { category: 'robots' })).toEqual([
    'category: Category must be one of chatbot, automation, analytics, creative, vision, language',
  ]);
});

test('a request for an agent takes its id in either case', () => {
  expect(agentRequestSchema.parse({ id: id.toUpperCase() })).toEqual({ id });
});

describe('an idempotency key', () => {
  test.each(['x', '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f', '"quoted"', '!~', 'k'.repeat(255)])('may be %s', (key) => {
    expect(idempotencyKeySchema.parse(key)).toBe(key);
  });

  test.each(['', ' ', 'two words', 'one, two', 'schlüssel', '\u007f', 'tab\t', 'line\n', 'k'.repeat(256)])(
    'is not %j',
    (key) => {
      expect(refusals(idempotencyKeySchema, key)).toEqual([
        ': Idempotency-Key must be 1 to 255 visible ASCII characters without spaces, such as a UUID',
      ]);
    },
  );
});
