import { expect, test } from 'vitest';
import { categoryIdSchema } from './category-schema.ts';
import { categories, categoryIds, getCategory, type CategoryId } from './category.ts';

test('there are the six categories of the specification, in its order', () => {
  expect(categories.map(({ id, name, colour }) => [id, name, colour])).toEqual([
    ['chatbot', 'Chatbots & Conversational AI', 'blue'],
    ['automation', 'Automation & Workflow', 'green'],
    ['analytics', 'Analytics & Intelligence', 'purple'],
    ['creative', 'Creative & Content', 'orange'],
    ['vision', 'Computer Vision', 'red'],
    ['language', 'Language Processing', 'indigo'],
  ]);
});

test('the first words of the names, which label the filter, all differ', () => {
  expect(categories.map(({ name }) => name.split(' ')[0])).toEqual([
    'Chatbots',
    'Automation',
    'Analytics',
    'Creative',
    'Computer',
    'Language',
  ]);
});

test('every category has a description of its own', () => {
  const descriptions = categories.map(({ description }) => description.trim());
  expect(descriptions).not.toContain('');
  expect(new Set(descriptions).size).toBe(6);
});

test('an id is one of the six, in lower case', () => {
  for (const id of categoryIds) expect(categoryIdSchema.parse(id)).toBe(id);
  for (const id of ['Chatbot', 'Computer Vision', ' vision', 'all', 'constructor']) {
    expect(categoryIdSchema.safeParse(id).success).toBe(false);
  }
});

test('a category is found by its id', () => {
  expect(categoryIds.map(getCategory)).toEqual(categories);
});

test.each(['nothing', 'toString', '__proto__'])('%s, which is no category, is an error', (id) => {
  expect(() => getCategory(id as CategoryId)).toThrow(`There is no category ${id}.`);
});
