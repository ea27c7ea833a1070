import { expect, test } from './test.ts';

test(
  'the home page shows its sections in order, with statistics, categories and a footer whose links work',
  { tag: '@desktop' },
  async ({ page, client, request }) => {
    await page.goto('/');
    await expect(page).toHaveTitle(/Agent Registry/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Discover and register AI agents');
    await expect(page.getByText('A comprehensive registry for AI agents, bots and automation tools.')).toBeVisible();
    const order = await page
      .locator('header, main > section, footer')
      .evaluateAll((elements) => elements.map((element) => element.id || element.tagName.toLowerCase()));
    expect(order).toEqual(['header', 'section', 'browse', 'register', 'categories', 'about']);

    await test.step('the hero shows the statistics', async () => {
      const { totalAgents, categories } = await client.stats.get.query();
      expect(categories).toBe(6);
      const figure = (label: string) => page.locator('dl > div', { hasText: label }).getByRole('definition');
      await expect(figure('Registered Agents')).toHaveText(String(totalAgents));
      await expect(figure('Categories')).toHaveText(String(categories));
      // A cached page can show an earlier number of views.
      await expect(figure('Monthly Views')).toHaveText(/^\d+$/);
    });
    await test.step('the category buttons show the first word of each name', async () => {
      const buttons = page.getByRole('group', { name: 'Filters' }).getByRole('button');
      const names = ['Chatbots', 'Automation', 'Analytics', 'Creative', 'Computer', 'Language'];
      for (const [index, name] of names.entries()) await expect(buttons.nth(index)).toHaveAccessibleName(name);
      await expect(buttons).toHaveCount(names.length);
    });
    await test.step('the footer describes the registry, and its links work', async () => {
      const footer = page.locator('footer#about');
      await expect(footer).toContainText('public directory of AI agents');
      await expect(footer).toContainText('© 2024');
      for (const link of await footer.getByRole('link').all()) {
        const href = (await link.getAttribute('href')) ?? '';
        expect((await request.get(href)).status(), href).toBe(200);
        const { hash } = new URL(href, page.url());
        if (hash) await expect(page.locator(hash)).toHaveCount(1);
      }
    });
    await test.step('Browse Agents in the hero scrolls to the browse section', async () => {
      await page.getByRole('main').getByRole('button', { name: 'Browse Agents' }).click();
      await expect(page.getByRole('combobox', { name: 'Search agents' })).toBeInViewport();
      await expect(page.locator('#browse')).toBeFocused();
    });
  },
);

test.describe('without statistics', () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  test('the figures are 0', { tag: ['@desktop', '@all'] }, async ({ page }) => {
    await page.route('**/api/stats', (route) => route.fulfill({ status: 500, body: 'no' }));
    // A page without statistics.
    await page.goto('/nothing');
    await page.getByRole('banner').getByRole('link', { name: 'Agent Registry' }).click();
    await expect(page.getByRole('heading', { name: 'Browse Agents' })).toBeVisible();
    await expect(page.getByRole('definition')).toHaveText(['0', '0', '0']);
  });
});

test(
  'the category cards count the full list, whatever list is shown',
  { tag: ['@desktop', '@all'] },
  async ({ page, client }) => {
    const agents = await client.agents.list.query();
    const inVision = agents.filter(({ category }) => category === 'vision').length;
    await page.goto('/?category=chatbot');
    const cards = page.locator('#categories').getByRole('listitem');
    await expect(cards).toHaveCount(6);
    await expect(cards.filter({ hasText: 'Computer Vision' })).toContainText(`${inVision} agents`);
    await expect(cards.getByRole('link')).toHaveCount(6);
    await expect(cards.getByRole('button')).toHaveCount(0);
    // The card itself is not clickable.
    await cards.filter({ hasText: 'Computer Vision' }).getByRole('paragraph').click();
    await expect(page).toHaveURL('/?category=chatbot');
    await cards.filter({ hasText: 'Computer Vision' }).getByRole('link').click();
    await expect(page).toHaveURL('/?category=vision');
  },
);

test(
  'pages follow the system’s colour scheme until the switch is used; the choice holds after a reload and in the API reference',
  { tag: '@desktop' },
  async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('/');
    const root = page.locator('html');
    await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await page.getByRole('button', { name: 'Switch to light mode' }).click();
    await expect(root).toHaveAttribute('data-mantine-color-scheme', 'light');
    await page.reload();
    await expect(root).toHaveAttribute('data-mantine-color-scheme', 'light');

    await page.goto('/api/docs', { waitUntil: 'load' });
    await expect(root).toHaveCSS('color-scheme', 'light');
  },
);

test(
  'after an agent was shown, an element that is inserted or removed does not restyle the rest of the page',
  { tag: ['@desktop', '@all'] },
  async ({ page, browser }) => {
    await page.goto('/');
    await page.locator('#browse article h3 a').first().click();
    await page.getByRole('link', { name: '← All agents' }).click();
    await expect(page.locator('#browse article').first()).toBeVisible();
    await browser.startTracing(page, { categories: ['devtools.timeline'] });
    await page.evaluate(() => {
      const added = document.body.appendChild(document.createElement('p'));
      const height = document.body.offsetHeight;
      added.remove();
      return height - document.body.offsetHeight;
    });
    const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
      traceEvents: { name: string; args: { elementCount?: number } }[];
    };
    const restyled = traceEvents.flatMap(({ name, args }) =>
      name === 'UpdateLayoutTree' ? (args.elementCount ?? 0) : [],
    );
    expect(restyled).not.toEqual([]);
    // Of more than a thousand.
    expect(Math.max(...restyled)).toBeLessThan(100);
  },
);
