import { expect, test } from 'vitest';
import { categoryIds, defaultCategories, getCategory, isCategoryId, type Category } from './category.ts';
import { createNewAgentSchema } from './new-agent.ts';
import { createReadRequests } from './requests.ts';
import { makeNewAgent } from './testing/make-agent.ts';

test('the first words of the names, which label the filter, all differ', () => {
  expect(new Set(defaultCategories.map(({ name }) => name.split(' ')[0])).size).toBe(6);
});

test('a category id is one of the six, in lower case', () => {
  for (const id of categoryIds) expect(isCategoryId(defaultCategories, id)).toBe(true);
  for (const id of ['Chatbot', 'Computer Vision', ' vision', 'all', 'constructor']) {
    expect(isCategoryId(defaultCategories, id)).toBe(false);
  }
});

test('a category is found by its id', () => {
  expect(categoryIds.map((id) => getCategory(defaultCategories, id))).toEqual(defaultCategories);
});

test.each(['nothing', 'toString', '__proto__'])(
  'the removed category %s has its id as name, and a neutral icon',
  (id) => {
    expect(getCategory(defaultCategories, id)).toMatchObject({ id, name: id, icon: 'box' });
  },
);

test('registrations and requests accept the categories of their registry, and no others', () => {
  const [chatbot] = defaultCategories as [Category];
  const categories = [
    { ...chatbot, id: 'garden' },
    { ...chatbot, id: 'kitchen' },
  ];
  const newAgentSchema = createNewAgentSchema(categories);
  const categoryRequestSchema = createReadRequests(categories)['agents.byCategory'];
  expect(newAgentSchema.safeParse(makeNewAgent({ category: 'garden' })).success).toBe(true);
  expect(categoryRequestSchema.parse({ category: 'kitchen' })).toEqual({ category: 'kitchen' });
  for (const schema of [newAgentSchema, categoryRequestSchema]) {
    const { error } = schema.safeParse(makeNewAgent({ category: 'chatbot' }));
    expect(error?.issues.map(({ message }) => message)).toContain('Category must be one of garden, kitchen');
  }
});
