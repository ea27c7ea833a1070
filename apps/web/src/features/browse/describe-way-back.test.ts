import { defaultCategories } from '@agent-registry/contracts';
import { expect, test } from 'vitest';
import { describeWayBack } from './describe-way-back.ts';

test.each([
  [{ text: 'logo' }, 'Back to results for ‘logo’'],
  [{ text: 'logo', category: 'vision' }, 'Back to Computer Vision'],
  [{ text: '', pricing: ['free'] }, 'Back to results'],
  [{ text: '' }, 'All agents'],
] as const)('the way back to %j reads %s', (params, label) => {
  expect(describeWayBack(params, defaultCategories)).toBe(label);
});
