import { describe, expect, test } from 'vitest';
import { agentIdSchema, agentSchema, createImportedAgentSchema } from './agent.ts';
import { defaultCategories } from './category.ts';
import { editableFields, fieldNames, isAgentId } from './fields.ts';
import { newAgentSchema } from './new-agent.ts';

test('an agent has the fields of the table in their order, and a registration those that owners set', () => {
  expect(Object.keys(agentSchema.shape)).toEqual(fieldNames);
  expect(Object.keys(newAgentSchema.shape)).toEqual(editableFields);
});

describe('the id of an agent', () => {
  test('is lower-cased', () => {
    expect(agentIdSchema.parse('3F2B8C1E-5D4A-4B6F-9E7D-1A2B3C4D5E6F')).toBe('3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f');
  });

  test.each([
    '',
    '1',
    'not-a-uuid',
    '3f2b8c1e5d4a4b6f9e7d1a2b3c4d5e6f',
    '{3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f}',
    '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f ',
    '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6g',
    undefined,
    ['3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f'],
  ])('%j is invalid', (id) => {
    expect(agentIdSchema.safeParse(id).error?.issues.map(({ message }) => message)).toEqual([
      'The id of an agent must be a UUID, such as 3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f',
    ]);
  });
});

describe('an imported agent', () => {
  const importedAgentSchema = createImportedAgentSchema(defaultCategories);
  const given = { name: 'Otter', description: 'Swims.', category: 'vision', contactEmail: 'owner@example.com' };
  const id = '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f';
  const messagesOf = (fields: object) =>
    importedAgentSchema.safeParse({ ...given, ...fields }).error?.issues.map(({ message }) => message);

  test('is a registration, optionally with the fields that a registry sets', () => {
    expect(importedAgentSchema.parse(given)).toEqual({ ...newAgentSchema.parse(given), rating: 0, reviewCount: 0 });
    expect(
      importedAgentSchema.parse({
        ...given,
        id: id.toUpperCase(),
        rating: 4.7,
        reviewCount: 3,
        createdAt: '2026-11-21T10:00:00+02:00',
      }),
    ).toMatchObject({ id, rating: 4.7, reviewCount: 3, createdAt: '2026-11-21T08:00:00.000Z' });
  });

  test.each([
    [{ name: '' }, 'Name is required'],
    [{ colour: 'blue' }, 'These fields are not accepted: colour'],
    [{ id: '1' }, 'The id of an agent must be a UUID, such as 3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f'],
    [{ rating: 4.75 }, 'Rating must be a number from 0 to 5 with at most one decimal'],
    [{ rating: 5.1 }, 'Rating must be a number from 0 to 5 with at most one decimal'],
    [{ reviewCount: 1.5 }, 'Review count must be a whole number from 0 to 2,147,483,647'],
    [{ reviewCount: 2 ** 31 }, 'Review count must be a whole number from 0 to 2,147,483,647'],
    [{ createdAt: '2026-11-21' }, 'Created at must be a time with its zone, such as 2026-11-21T09:30:00.000Z'],
    [
      { createdAt: '0000-01-01T00:00:00+14:00' },
      'Created at must be a time with its zone, such as 2026-11-21T09:30:00.000Z',
    ],
  ])('with %j is refused with a sentence', (fields, message) => {
    expect(messagesOf(fields)).toEqual([message]);
  });

  test.each([
    ['createdAt', 'Created at'],
    ['updatedAt', 'Updated at'],
    ['websiteCheckedAt', 'Website checked at'],
  ])('has no %s in the future, but for clocks that are a little ahead', (field, label) => {
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    expect(messagesOf({ [field]: inMinutes(1) })).toBeUndefined();
    expect(messagesOf({ [field]: inMinutes(10) })).toEqual([`${label} must not be in the future`]);
    expect(messagesOf({ [field]: '9999-12-31T23:59:59.999Z' })).toEqual([`${label} must not be in the future`]);
  });
});

test.each([
  ['3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f', true],
  ['3F2B8C1E-5D4A-4B6F-9E7D-1A2B3C4D5E6F', true],
  ['3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6', false],
  ['3f2b8c1e-5d4a-9b6f-9e7d-1a2b3c4d5e6f', false],
  ['00000000-0000-0000-0000-000000000000', true],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', true],
  ['latest', false],
])('%s is an id with the schema and without: %s', (text, isId) => {
  expect(isAgentId(text)).toBe(isId);
  expect(agentIdSchema.safeParse(text).success).toBe(isId);
});
