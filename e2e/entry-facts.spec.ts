import type { FactRecord } from '@agent-registry/api/testing/fill-database';
import { createManagementKey, type Agent } from '@agent-registry/client';
import { expectNoViolations, expectReflow } from './expect-no-violations.ts';
import { expect, tabTo, testWith, validAgent } from './test.ts';

const proved: Agent = {
  ...validAgent,
  id: '11111111-1111-4111-8111-111111111111',
  name: 'Proved Marmot',
  website: 'https://marmot.example.com/',
  capabilities: [],
  pricingModel: 'free',
  apiAccess: 'yes',
  rating: 0,
  reviewCount: 0,
  createdAt: '2026-01-02T00:00:00.000Z',
  updatedAt: '2026-02-03T00:00:00.000Z',
  websiteCheckedAt: '2026-03-03T12:00:00.000Z',
  websiteProof: 'host',
};
const { websiteCheckedAt: _at, websiteProof: _proof, updatedAt: _updated, ...rest } = proved;
const unclaimed: Agent = { ...rest, id: '22222222-2222-4222-8222-222222222222', name: 'Unclaimed Marmot' };

const imported: Agent = { ...unclaimed, id: '33333333-3333-4333-8333-333333333333', name: 'Imported Marmot' };
const importedAt = '2026-04-05T00:00:00.000Z';
const facts: FactRecord[] = [
  {
    kind: 'source',
    name: 'burrows',
    address: 'https://burrows.example/',
    mark: null,
    syncedAt: importedAt,
    reading: '',
  },
  {
    kind: 'agent-source',
    source: 'burrows',
    entryKey: 'marmot',
    agentId: imported.id,
    isOrigin: true,
    attribution: 'Burrow Index',
    licence: 'CC0-1.0',
    importedAt,
  },
];

const test = testWith([proved, unclaimed, imported], {}, facts);

// In one worker, since each one would start the registry.
test.describe.configure({ mode: 'default' });

test(
  'cards and pages say what owners proved, and the list shows those agents only',
  { tag: '@all' },
  async ({ page, isMobile }) => {
    await page.goto('/');
    const browse = page.locator('#browse');
    await expect(browse.getByRole('article')).toHaveCount(3);
    await expect(browse.getByRole('img', { name: 'Owner proved marmot.example.com' })).toHaveCount(1);

    const choice = browse.getByLabel('Proved by its owner 1');
    if (isMobile) {
      await page.getByRole('button', { name: 'Filters' }).click();
      await expect(browse.getByRole('group', { name: 'Owner' })).toBeVisible();
      await choice.focus();
    } else {
      // By keyboard alone.
      await page.getByRole('button', { name: 'Filters' }).focus();
      await page.keyboard.press('Enter');
      await tabTo(page, choice);
    }
    await expect(choice).toBeFocused();
    await page.keyboard.press('Space');
    await expect(page).toHaveURL('/?proved=yes');
    await expect(browse.getByRole('article')).toHaveCount(1);
    await expectNoViolations(page, '#browse');
    await expectReflow(page);

    await page.goto(`/agent/${proved.id}`);
    const known = page.getByRole('region', { name: 'What is known about this entry' });
    await expect(known.getByText('Owner proved marmot.example.com on March 3, 2026')).toBeVisible();
    await page.goto(`/agent/${unclaimed.id}`);
    await expect(known.getByText('nobody has proved to own marmot.example.com yet')).toBeVisible();
    await expect(page.getByText('Unchanged since')).toBeVisible();
    await expectNoViolations(page);
    await expectReflow(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectReflow(page);
    await page.getByRole('link', { name: 'Is this your agent?' }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/agent/${unclaimed.id}?manage=key`);
  },
);

test(
  'an owner sees the views, and what connections answered, and has them checked',
  { tag: '@all' },
  async ({ page, client }, { project }) => {
    const key = createManagementKey();
    const name = `Own Marmot ${project.name}`;
    const { id } = await client.agents.register.mutate({ ...validAgent, name }, { context: { newKey: key } });
    const connection = { address: 'a2a https://marmot.example.com/card.json', result: 'other', tools: null };
    const connections = (reason: string) => [{ ...connection, reason, checkedAt: '2026-11-25T10:00:00.000Z' }];
    const viewsByDay = ['2026-11-24', '2026-11-25'].map((day, views) => ({ day, views }));
    await page.route(`**/api/agents/${id}/facts`, async (route) => {
      const facts = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...facts, connections: connections('status 500') } });
    });
    await page.route(`**/api/agents/${id}/connection-check`, (route) =>
      route.fulfill({ json: { monthlyViews: 1, viewsByDay, connections: connections('') } }),
    );
    // The key is kept by its link; the facts of the next page are loaded by the browser.
    await page.goto(`/agent/${id}#manage=${key}`);
    await page.goto('/');
    await page.locator('#browse').getByRole('link', { name, exact: true }).click();
    const own = page.getByRole('region', { name: /^Your entry · \d of 5$/ });
    await expect(own.getByText(/\d+ views? since/)).toBeVisible();
    await expectNoViolations(page, 'main');
    await expectReflow(page);
    await expect(own.getByText(`${connection.address}: status 500`)).toBeVisible();
    await own.getByRole('button', { name: 'Check the connections again' }).focus();
    await page.keyboard.press('Enter');
    await expect(own.getByRole('status')).toHaveText('The connections were checked now.');
  },
);

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test(
    'the filter is a part of the form, and pages have absolute dates',
    { tag: ['@desktop', '@all'] },
    async ({ page }) => {
      await page.goto('/?proved=yes');
      await expect(page.locator('#browse').getByRole('article')).toHaveCount(1);
      await page.goto(`/agent/${proved.id}`);
      const known = page.getByRole('region', { name: 'What is known about this entry' });
      await expect(known.getByText('Owner proved marmot.example.com on March 3, 2026')).toBeVisible();
      await expect(page.getByRole('definition').getByText('February 3, 2026')).toBeVisible();
    },
  );

  test('pages say from where an entry was imported', { tag: ['@phone', '@all'] }, async ({ page }) => {
    await page.goto(`/agent/${imported.id}`);
    const known = page.getByRole('region', { name: 'What is known about this entry' });
    await expect(known.getByText('Imported from Burrow Index, not claimed (CC0-1.0, April 5, 2026)')).toBeVisible();
    await expect(known.getByRole('link', { name: 'Is this your agent?' })).toHaveCount(1);
  });
});
