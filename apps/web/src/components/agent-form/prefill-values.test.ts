import type { Prefill } from '@agent-registry/contracts';
import { expect, test } from 'vitest';
import { initialValues } from './form-values.ts';
import { fillIn, findGap } from './prefill-values.ts';

const source = 'agent-card.json';
const prefill: Prefill = {
  fields: [
    { field: 'name', value: 'Front Desk', source },
    { field: 'capabilities', value: ['calls, chats', 'voice'], source },
    { field: 'exampleTasks', value: ['Book a table, for four.', 'Call me back.'], source },
    { field: 'apiAccess', value: 'yes', source },
  ],
  category: 'chatbot',
  redirectsTo: null,
};

test('empty fields are filled in, each with its source, and the others stay', () => {
  const typed = { ...initialValues, name: 'Mine', capabilities: ' ' };
  expect(fillIn(typed, prefill)).toEqual({
    values: {
      ...typed,
      capabilities: 'calls  chats, voice',
      exampleTasks: 'Book a table, for four.\nCall me back.',
      apiAccess: 'yes',
    },
    filled: {
      capabilities: { source, before: ' ' },
      exampleTasks: { source, before: '' },
      apiAccess: { source, before: 'no' },
    },
  });
  expect(fillIn({ ...typed, apiAccess: 'planned' }, prefill).filled).not.toHaveProperty('apiAccess');
});

test('the first gap is the first required field without a value', () => {
  expect(findGap(initialValues)).toBe('name');
  expect(findGap({ ...initialValues, name: 'x', description: 'x' })).toBe('category');
  expect(
    findGap({ ...initialValues, name: 'x', description: 'x', category: 'chatbot', contactEmail: 'x' }),
  ).toBeUndefined();
});
