import { expect, test } from 'vitest';
import { listTerms } from './agent-terms.ts';

test.each([
  ['free', 'yes', ['Free', 'API']],
  ['enterprise', 'planned', ['Enterprise', 'API Planned']],
  ['paid', 'no', ['Paid']],
] as const)('the terms of an agent with the price %s and the API %s', (pricingModel, apiAccess, terms) => {
  expect(listTerms({ pricingModel, apiAccess })).toEqual(terms);
});
