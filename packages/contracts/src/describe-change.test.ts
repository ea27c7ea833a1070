import { expect, test } from 'vitest';
import { defaultCategories } from './category.ts';
import type { HistoryEntry } from './changes.ts';
import { describeChange } from './describe-change.ts';

test.each<[Omit<HistoryEntry, 'at'>, string]>([
  [{ change: 'listed', actor: 'anyone', fields: [] }, 'Listed'],
  [{ change: 'listed', actor: 'import', fields: [] }, 'Listed by an import'],
  [{ change: 'removed', actor: 'operator', fields: [] }, 'Taken off the list by the operator'],
  [
    {
      change: 'updated',
      actor: 'owner',
      fields: [
        { field: 'pricingModel', from: 'free', to: 'paid' },
        { field: 'category', from: 'vision', to: 'robots' },
        { field: 'website', from: null, to: 'https://example.com/' },
        { field: 'description' },
      ],
    },
    'Changed by its owner: pricing Free → Paid, category Computer Vision → robots, website none → https://example.com/, description',
  ],
  [
    { change: 'updated', actor: 'website', fields: [{ field: 'websiteCheckedAt' }] },
    'Changed by its owner, by way of its website: control of the website',
  ],
])('%o reads %j', (entry, sentence) => {
  expect(describeChange({ at: '2026-03-03T00:00:00.000Z', ...entry }, defaultCategories)).toBe(sentence);
});
