import { makeCorpus } from '@agent-registry/api/testing/corpora';
import type { Agent } from '@agent-registry/client';
import { toCursor } from '@agent-registry/contracts';
import type { Page } from '@playwright/test';
import { expect, openForm, registerByForm, testWith } from './test.ts';

/** More agents than a page loads at once. */
const agents = [...makeCorpus(2_005)];
const inVision = agents.filter(({ category }) => category === 'vision');
const nameOf = (agent: Agent | undefined) => agent?.name ?? '';

const test = testWith(agents).extend<{ calls: string[] }>({
  /** The requests for lists; none may be for a whole list. */
  calls: async ({ page }, use) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (request.method() === 'GET' && /^\/api\/agents(\/category\/\w+)?$/.test(pathname))
        calls.push(pathname + search);
    });
    await use(calls);
    expect(calls.filter((call) => !call.includes('limit='))).toEqual([]);
  },
});

const cards = (page: Page) => page.locator('#browse').getByRole('article');
const line = (page: Page) => page.locator('#browse').getByRole('status');
const more = (page: Page) => page.getByRole('button', { name: 'Load More Agents' });
const count = (page: Page, category: string) =>
  page.locator('#categories').getByRole('listitem').filter({ hasText: category });

// The tests share a registry, and the last one registers an agent.
test.describe.configure({ mode: 'serial' });

test.describe('a directory of more than 2,000 agents', { tag: '@desktop' }, () => {
  test(
    'is loaded by pages, with figures of all agents, and going back restores it',
    { tag: '@all' },
    async ({ page, calls }) => {
      await page.goto('/');
      await expect(page.getByRole('definition').first()).toHaveText('2,005');
      await expect(count(page, 'Computer Vision')).toContainText(`${inVision.length} agents`);
      expect(calls).toEqual([]);
      await expect(cards(page)).toHaveCount(12);
      await expect(cards(page).first()).toHaveAccessibleName(nameOf(agents[0]));
      await expect(line(page)).toHaveText('Showing 12 of 2,005 agents');
      for (const shown of [24, 36, 48]) {
        await more(page).click();
        await expect(cards(page)).toHaveCount(shown);
      }
      expect(calls).toEqual(['/api/agents?limit=48']);

      await more(page).click();
      await expect(cards(page)).toHaveCount(60);
      expect(calls).toEqual([
        '/api/agents?limit=48',
        `/api/agents?limit=48&after=${toCursor(agents[47] as Agent, 'newest')}`,
      ]);
      await expect(cards(page).nth(48)).toHaveAccessibleName(nameOf(agents[48]));
      await expect(cards(page).nth(48).getByRole('link').first()).toBeFocused();
      await expect(line(page)).toHaveText('Showing 60 of 2,005 agents');

      await cards(page).nth(55).getByRole('link', { name: 'View Details →' }).click();
      await expect(page.getByRole('link', { name: 'Contact Agent Owner' })).toBeVisible();
      await page.goBack();
      await expect(cards(page)).toHaveCount(60);
      await expect(cards(page).nth(55)).toBeInViewport();
      expect(calls.filter((path) => path.startsWith('/api/agents?'))).toHaveLength(2);
    },
  );

  test('has categories that are loaded by pages, and a search', { tag: '@all' }, async ({ page, calls }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Computer', exact: true }).click();
    await expect(line(page)).toHaveText(`Showing 12 of ${inVision.length} agents`);
    await expect(cards(page).first()).toHaveAccessibleName(nameOf(inVision[0]));
    expect(calls).toEqual(['/api/agents/category/vision?limit=48']);
    await page.getByRole('combobox', { name: 'Search agents' }).fill(nameOf(agents[7]));
    await page.getByRole('combobox', { name: 'Search agents' }).press('Enter');
    await page.getByRole('button', { name: /^Search all agents for/ }).click();
    await expect(cards(page).first()).toHaveAccessibleName(nameOf(agents[7]));
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await expect(line(page)).toHaveText('Showing 12 of 2,005 agents');
  });

  test('shows an agent as soon as it is registered', { tag: '@all' }, async ({ page, calls }) => {
    await openForm(page);
    await expect(cards(page)).toHaveCount(12);
    await registerByForm(page, 'Marmot at Large', 'Computer Vision');
    await expect(cards(page).first()).toHaveAccessibleName('Marmot at Large');
    await expect(line(page)).toHaveText('Showing 12 of 2,006 agents');
    await expect(page.getByRole('definition').first()).toHaveText('2,006');
    await expect(count(page, 'Computer Vision')).toContainText(`${inVision.length + 1} agents`);
    expect(calls).toEqual(['/api/agents?limit=48']);
  });
});
