import { afterEach, expect, test } from 'vitest';
import { categoryIds, defaultCategories } from './category.ts';
import { newAgentSchema } from './new-agent.ts';
import { categoryRequestSchema } from './requests.ts';
import { configureSite, defaultSiteConfig, getCategory, isCategoryId } from './site-config.ts';
import { makeNewAgent } from './testing/make-agent.ts';

afterEach(() => configureSite());

test('the first words of the names, which label the filter, all differ', () => {
  expect(new Set(defaultCategories.map(({ name }) => name.split(' ')[0])).size).toBe(6);
});

test('a category id is one of the six, in lower case', () => {
  for (const id of categoryIds) expect(isCategoryId(id)).toBe(true);
  for (const id of ['Chatbot', 'Computer Vision', ' vision', 'all', 'constructor']) {
    expect(isCategoryId(id)).toBe(false);
  }
});

test('a category is found by its id', () => {
  expect(categoryIds.map(getCategory)).toEqual(defaultCategories);
});

test.each(['nothing', 'toString', '__proto__'])(
  'the removed category %s has its id as name, and a neutral icon',
  (id) => {
    expect(getCategory(id)).toMatchObject({ id, name: id, icon: 'box' });
  },
);

test('registrations and requests accept the categories that the operator set, and no others', () => {
  const [chatbot] = defaultCategories;
  configureSite({
    ...defaultSiteConfig,
    categories: [
      { ...chatbot!, id: 'garden' },
      { ...chatbot!, id: 'kitchen' },
    ],
  });
  expect(newAgentSchema.safeParse(makeNewAgent({ category: 'garden' })).success).toBe(true);
  expect(categoryRequestSchema.parse({ category: 'kitchen' })).toEqual({ category: 'kitchen' });
  for (const schema of [newAgentSchema, categoryRequestSchema]) {
    const { error } = schema.safeParse(makeNewAgent({ category: 'chatbot' }));
    expect(error?.issues.map(({ message }) => message)).toContain('Category must be one of garden, kitchen');
  }
});
