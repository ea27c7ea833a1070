import { expect, test } from 'vitest';
import { categoryIdSchema } from './category-schema.ts';
import { categories, categoryIds, getCategory, type CategoryId } from './category.ts';

test('the first words of the names, which label the filter, all differ', () => {
  expect(new Set(categories.map(({ name }) => name.split(' ')[0])).size).toBe(6);
});

test('a category id is one of the six, in lower case', () => {
  for (const id of categoryIds) expect(categoryIdSchema.parse(id)).toBe(id);
  for (const id of ['Chatbot', 'Computer Vision', ' vision', 'all', 'constructor']) {
    expect(categoryIdSchema.safeParse(id).success).toBe(false);
  }
});

test('a category is found by its id', () => {
  expect(categoryIds.map(getCategory)).toEqual(categories);
});

test.each(['nothing', 'toString', '__proto__'])('the unknown category %s is an error', (id) => {
  expect(() => getCategory(id as CategoryId)).toThrow(`There is no category ${id}.`);
});
