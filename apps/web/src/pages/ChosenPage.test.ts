import { defaultSiteConfig } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { expect, test } from 'vitest';
import { describeComparison } from './ChosenPage.tsx';

const describe = (...names: string[]) =>
  describeComparison(
    names.map((name) => makeAgent({ name, category: 'vision', pricingModel: 'free', apiAccess: 'yes' })),
    defaultSiteConfig,
  );

test.each([
  [['Ant', 'Bee'], 'Compare Ant and Bee – Agent Registry'],
  [['Ant', 'Bee', 'Cat\n Dog'], 'Compare Ant, Bee and Cat Dog – Agent Registry'],
])('the title of a comparison of %j is %s', (names, title) => {
  expect(describe(...names).title).toBe(title);
});

test('a description names what is compared, and the terms of the agents', () => {
  expect(describe('Ant', 'Bee').description).toBe(
    'Pricing, API access, capabilities and tasks side by side: Ant (Computer Vision, Free, API) and Bee (Computer Vision, Free, API).',
  );
});

test.each([2, 3, 4])('the title and the description of %i long names are bounded', (count) => {
  const { title, description } = describe(...Array.from({ length: count }, (_, index) => `${index}`.repeat(100)));
  expect(title.length).toBeLessThanOrEqual(160);
  expect(title).toMatch(/^Compare 0+…,? .*… – Agent Registry$/);
  expect(description.length).toBeLessThanOrEqual(160);
});
