import type { Page } from '@playwright/test';
import { expect, holdBack, openForm, test, toast, validAgent } from './test.ts';

/** The scripts of a part, by the beginning of their name. */
const scriptsOf = (part: string) => `**/assets/${part}-*.js`;

/** Fails all requests for the scripts of a part until the function that it gives is called. */
async function keepAway(page: Page, part: string): Promise<() => Promise<void>> {
  await page.route(scriptsOf(part), (route) => route.abort());
  return () => page.unroute(scriptsOf(part));
}

/** Sees that a sentence stands where the visitor looks, and not on top of other text. */
async function expectToBeRead(page: Page, sentence: string): Promise<void> {
  const alert = page.getByRole('alert').filter({ hasText: sentence });
  await expect(alert).toBeInViewport({ ratio: 1 });
  await expect(alert).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
}

test('the first view of home loads no lazy component; they load when the browser is idle', async ({ page }) => {
  const lazyChunks = ['RegisterForm', 'NavDrawer', 'Toaster', 'TooltipLayer', 'AgentPage'];
  const loaded = new Set<string>();
  await page.addInitScript(() => {
    const callIdle: IdleRequestCallback[] = [];
    window.requestIdleCallback = (callback) => callIdle.push(callback);
    window.addEventListener('test-idle', () => {
      window.requestIdleCallback = (callback) => window.setTimeout(callback);
      for (const callback of callIdle.splice(0)) callback({ didTimeout: false, timeRemaining: () => 50 });
    });
  });
  page.on('request', (request) => {
    const name = /assets\/(\w+)-[\w-]+\.js$/.exec(request.url())?.[1];
    if (name && lazyChunks.includes(name)) loaded.add(name);
  });
  await page.goto('/');
  await page.getByLabel('Agent Name').fill('Typed before hydration');
  expect([...loaded]).toEqual([]);

  await page.evaluate(() => window.dispatchEvent(new Event('test-idle')));
  await expect(page.getByRole('button', { name: 'Save Draft' })).toBeEnabled();
  await expect(page.getByLabel('Agent Name')).toHaveValue('Typed before hydration');
  await expect.poll(() => [...loaded].toSorted()).toEqual(lazyChunks.toSorted());
});

test(
  'no page waits for styles, or names a script that would be fetched before it is painted',
  { tag: '@desktop' },
  async ({ request, client }) => {
    const [agent] = await client.agents.list.query();
    for (const path of ['/', `/agent/${agent?.id}`]) {
      const page = await (await request.get(path)).text();
      expect(page).toContain('<style>');
      expect(page).not.toMatch(/rel="stylesheet"|<script[^>]* src=|modulepreload/);
    }
    expect((await request.get('/.vite/manifest.json')).status()).toBe(404);
  },
);

test('an agent’s page has a title while its code loads', { tag: '@desktop' }, async ({ page }) => {
  const release = await holdBack(page, 'GET', scriptsOf('AgentPage'));
  await openForm(page);
  await page.locator('#browse').getByRole('link', { name: 'View Details' }).first().click();
  await expect(page.getByTestId('agent-skeleton')).toBeVisible();
  await expect(page).toHaveTitle('Agent Registry');
  release();
  await expect(page).toHaveTitle(/ – Agent Registry$/);
});

test.describe('where code cannot be loaded', () => {
  test.use({ expectedErrors: /Failed to load resource|Failed to fetch dynamically imported module|React error #422/ });

  test('the page asks for its own again, and keeps what was typed meanwhile', async ({ page }) => {
    const comeBack = await keepAway(page, 'index');
    const failed = page.waitForEvent('requestfailed');
    await page.goto('/', { waitUntil: 'load' });
    await failed;
    await page.getByRole('searchbox').fill('otterdesk');
    await comeBack();
    await expect(page.getByRole('button', { name: 'Save Draft' })).toBeEnabled();
    await page.getByRole('searchbox').press('Enter');
    await expect(page).toHaveURL('/?q=otterdesk');
  });

  test('an agent’s page says so, and is there at another try', { tag: '@desktop' }, async ({ page }) => {
    const comeBack = await keepAway(page, 'AgentPage');
    await openForm(page);
    await page.locator('#browse').getByRole('link', { name: 'View Details' }).first().click();
    await expect(page.getByRole('alert')).toContainText('The page could not be loaded.');
    await expect(page).toHaveTitle('Agent Registry');
    await comeBack();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('article').getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(/ – Agent Registry$/);
  });

  test('the form says so, and is there at another try', { tag: '@desktop' }, async ({ page }) => {
    const comeBack = await keepAway(page, 'RegisterForm');
    await page.goto('/');
    await expect(page.getByText('The form could not be loaded.')).toBeVisible();
    await comeBack();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Agent Name').fill(validAgent.name);
    await expect(page.getByLabel('Agent Name')).toHaveValue(validAgent.name);
  });

  test('the menu says so, and is there at another try', { tag: '@phone' }, async ({ page }) => {
    const comeBack = await keepAway(page, 'NavDrawer');
    await page.goto('/');
    const menu = page.getByRole('button', { name: 'Open menu' });
    await menu.click();
    await expectToBeRead(page, 'The menu could not be loaded.');
    await menu.click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await menu.click();
    await expectToBeRead(page, 'The menu could not be loaded.');
    await comeBack();
    await page.getByRole('button', { name: 'Try again' }).click();
    // A browser that remembers what has failed loads the page again.
    await expect(async () => {
      if (await page.getByRole('dialog').isHidden()) await menu.click({ timeout: 1_000 });
      await expect(page.getByRole('dialog')).toBeVisible({ timeout: 1_000 });
    }).toPass();
  });

  test('a toast is said all the same, and is there at another try', async ({ page }) => {
    const comeBack = await keepAway(page, 'Toaster');
    await openForm(page);
    await page.getByRole('button', { name: 'Save Draft' }).click();
    await expectToBeRead(page, 'Draft saved');
    await comeBack();
    await page.getByRole('button', { name: 'Try again' }).click();
    // A browser that remembers what has failed loads the page again.
    await expect(async () => {
      if (await toast(page, 'Draft saved').isHidden()) {
        await page.getByRole('button', { name: 'Save Draft' }).click({ timeout: 1_000 });
      }
      await expect(toast(page, 'Draft saved')).toBeVisible({ timeout: 1_000 });
    }).toPass();
  });
});
