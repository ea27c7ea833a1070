// @vitest-environment jsdom
import { defaultCategories } from '@agent-registry/contracts';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readDraft, removeDraft, saveDraft } from './draft.ts';
import { initialValues, type RegisterFormValues } from '../../components/agent-form/form-values.ts';

const values: RegisterFormValues = {
  ...initialValues,
  name: 'Front Desk',
  description: 'Answers the phone.\nAnd the door.',
  category: 'chatbot',
  capabilities: 'chat, voice',
  contactEmail: 'half an addr',
  website: 'https://example.com',
  pricingModel: 'paid',
  apiAccess: 'planned',
};

beforeEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});

test('a saved draft can be read', () => {
  expect(saveDraft(values)).toBe(true);
  expect(readDraft(defaultCategories)).toEqual(values);
});

test('a later draft replaces an earlier one', () => {
  saveDraft(values);
  saveDraft({ ...values, name: 'Back Desk' });
  expect(readDraft(defaultCategories)).toEqual({ ...values, name: 'Back Desk' });
});

test('there is no draft before one is saved, after it is removed, and of an empty form', () => {
  expect(readDraft(defaultCategories)).toBeUndefined();
  saveDraft(values);
  removeDraft();
  expect(readDraft(defaultCategories)).toBeUndefined();
  saveDraft(values);
  saveDraft(initialValues);
  expect(readDraft(defaultCategories)).toBeUndefined();
});

test('a tab keeps its own draft beside that of another tab, and removes no other', () => {
  saveDraft(values);
  const key = window.localStorage.key(0) ?? '';
  const own = window.localStorage.getItem(key);
  // Another tab saves a draft of its own.
  const other = { ...values, name: 'Back Desk' };
  window.localStorage.setItem(key, JSON.stringify(other));
  expect(window.sessionStorage.getItem(key)).toBe(own);
  expect(readDraft(defaultCategories)).toEqual(values);
  removeDraft();
  expect(readDraft(defaultCategories)).toEqual(other);
});

describe('if the storage holds something else', () => {
  /** Stores a text under the key of the draft. */
  function keep(text: string) {
    saveDraft(values);
    window.sessionStorage.clear();
    window.localStorage.setItem(window.localStorage.key(0)!, text);
  }

  test.each(['', '{', 'null', 'undefined'])('%j is no draft', (text) => {
    keep(text);
    expect(readDraft(defaultCategories)).toBeUndefined();
  });

  test.each([
    '5',
    '"text"',
    'true',
    '[]',
    '{}',
    '{"terms":true,"__proto__":{"name":"x"}}',
    '{"name":5,"website":null}',
  ])('%s fills in nothing', (text) => {
    keep(text);
    expect(readDraft(defaultCategories) ?? initialValues).toEqual(initialValues);
  });

  test('invalid fields are dropped, valid ones kept', () => {
    keep(JSON.stringify({ ...values, name: ['x'], rating: 5 }));
    expect(readDraft(defaultCategories)).toEqual({ ...values, name: '' });
  });

  test.each(['category', 'pricingModel', 'apiAccess'])('an unknown %s is ignored', (field) => {
    keep(JSON.stringify({ ...values, [field]: 'robots' }));
    expect(readDraft(defaultCategories)).toEqual({
      ...values,
      [field]: initialValues[field as keyof RegisterFormValues],
    });
  });
});

test('without storage nothing is saved, and there is no draft', () => {
  for (const kind of ['localStorage', 'sessionStorage'] as const) {
    const storage = vi.spyOn(window, kind, 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    onTestFinished(() => storage.mockRestore());
  }
  expect(saveDraft(values)).toBe(false);
  expect(readDraft(defaultCategories)).toBeUndefined();
  expect(removeDraft).not.toThrow();
});
