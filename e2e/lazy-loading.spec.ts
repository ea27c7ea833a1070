import type { Page } from '@playwright/test';
import { expect, holdBack, openForm, test, toast, validAgent } from './test.ts';

/** The URL pattern of a chunk. */
const chunkUrl = (chunk: string) => `**/assets/${chunk}-*.js`;

/** Aborts requests for a chunk. @returns ends that */
async function blockChunk(page: Page, chunk: string): Promise<() => Promise<void>> {
  await page.route(chunkUrl(chunk), (route) => route.abort());
  return () => page.unroute(chunkUrl(chunk));
}

/** Expects an alert in the viewport, with a background that covers the text below it. */
async function expectAlert(page: Page, sentence: string): Promise<void> {
  const alert = page.getByRole('alert').filter({ hasText: sentence });
  await expect(alert).toBeInViewport({ ratio: 1 });
  await expect(alert).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
}

test(
  'home loads the form and the pages of agents when the browser is idle, the rest when the pointer is on its control',
  { tag: '@desktop' },
  async ({ page }) => {
    const lazyChunks = new Set(['RegisterForm', 'NavDrawer', 'Toaster', 'TooltipLayer', 'AgentPage']);
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
      if (name && lazyChunks.has(name)) loaded.add(name);
    });
    await page.goto('/');
    await page.getByLabel('Agent Name').fill('Typed before hydration');
    expect([...loaded]).toEqual([]);

    await page.evaluate(() => window.dispatchEvent(new Event('test-idle')));
    await expect(page.getByRole('button', { name: 'Save Draft' })).toBeEnabled();
    await expect(page.getByLabel('Agent Name')).toHaveValue('Typed before hydration');
    await expect.poll(() => [...loaded].toSorted()).toEqual(['AgentPage', 'RegisterForm', 'Toaster']);
    await page.getByRole('button', { name: 'Chatbots', exact: true }).hover();
    await expect.poll(() => [...loaded].toSorted()).toEqual(['AgentPage', 'RegisterForm', 'Toaster', 'TooltipLayer']);
  },
);

test('the rows of the server stay until their code is there', { tag: ['@desktop', '@all'] }, async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(chunkUrl('AgentRows'), async (route) => {
    await released;
    await route.continue();
  });
  const asked = page.waitForRequest(chunkUrl('AgentRows'));
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector('[data-testid=skeleton-card]')) document.documentElement.dataset.skeleton = 'shown';
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/?view=rows', { waitUntil: 'load' });
  await asked;
  const waitForIdle = () => page.evaluate(() => new Promise((resolve) => void requestIdleCallback(resolve)));
  await waitForIdle();
  await waitForIdle();
  await expect(page.locator('#results tbody tr')).toHaveCount(12);
  release();
  await expect(page.locator('html')).not.toHaveAttribute('data-skeleton');
  await page.getByRole('button', { name: 'Cards' }).click();
  await expect(page.locator('#browse').getByRole('article')).toHaveCount(12);
});

for (const saveData of [false, true]) {
  test(
    `an agent’s page loads the code of home ${saveData ? 'only with home itself, to save data' : 'with the pointer on a link to it'}`,
    { tag: ['@desktop', '@all'] },
    async ({ page, client }) => {
      await page.addInitScript((value) => {
        Object.defineProperty(navigator, 'connection', { value: { saveData: value } });
      }, saveData);
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(/assets\/(\w+)-[\w-]+\.js$/.exec(request.url())?.[1] ?? ''));
      const [agent] = await client.agents.list.query();
      await page.goto(`/agent/${agent?.id}`);
      await expect.poll(() => loaded).toContain('MoreAgents');
      await page.waitForLoadState('networkidle');
      for (const chunk of ['HomePage', 'RegisterForm', 'ManageAgent', 'Suggestions', 'TooltipLayer', 'Toaster']) {
        expect(loaded).not.toContain(chunk);
      }
      const link = page.getByRole('link', { name: '← All agents' });
      await link.hover();
      if (saveData) expect(loaded).not.toContain('HomePage');
      else await expect.poll(() => loaded).toContain('HomePage');
      await link.click();
      await expect(page.locator('#browse').getByRole('article').first()).toBeVisible();
    },
  );
}

test(
  'no page waits for its stylesheet, which is at its end, or has a script that loads before the first paint',
  { tag: '@desktop' },
  async ({ request, client }) => {
    const [agent] = await client.agents.list.query();
    for (const path of ['/', `/agent/${agent?.id}`]) {
      const page = await (await request.get(path)).text();
      expect(page).toContain('<style>');
      expect(page.slice(page.indexOf('</footer>'))).toMatch(/<link rel="stylesheet" [^>]*>/);
      expect(page.slice(0, page.indexOf('</footer>'))).not.toContain('rel="stylesheet"');
      expect(page).not.toMatch(/<script[^>]* src=|modulepreload/);
    }
    expect((await request.get('/.vite/manifest.json')).status()).toBe(404);
  },
);

test('an agent’s page has a title while its chunk loads', { tag: ['@desktop', '@all'] }, async ({ page }) => {
  const release = await holdBack(page, 'GET', chunkUrl('AgentPage'));
  await openForm(page);
  await page.locator('#browse').getByRole('link', { name: 'View Details' }).first().click();
  await expect(page.getByTestId('agent-skeleton')).toBeVisible();
  await expect(page).toHaveTitle('Agent Registry');
  release();
  await expect(page).toHaveTitle(/ – Agent Registry$/);
});

test.describe('if a chunk cannot be loaded', () => {
  test.use({ expectedErrors: /Failed to load resource|Failed to fetch dynamically imported module|React error #422/ });

  test('the entry is retried, and typed text is kept', { tag: '@desktop' }, async ({ page }) => {
    const unblock = await blockChunk(page, 'index');
    const failed = page.waitForEvent('requestfailed');
    await page.goto('/', { waitUntil: 'load' });
    await failed;
    await page.getByRole('searchbox').fill('otterdesk');
    await unblock();
    await expect(page.getByRole('button', { name: 'Save Draft' })).toBeEnabled();
    await page.getByRole('combobox', { name: 'Search agents' }).press('Enter');
    await expect(page).toHaveURL('/?q=otterdesk');
  });

  test('an agent’s page shows a message, and loads on Retry', { tag: ['@desktop', '@all'] }, async ({ page }) => {
    const unblock = await blockChunk(page, 'AgentPage');
    await openForm(page);
    await page.locator('#browse').getByRole('link', { name: 'View Details' }).first().click();
    await expect(page.getByRole('alert')).toContainText('The page could not be loaded.');
    await expect(page).toHaveTitle('Agent Registry');
    await unblock();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('article').getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(/ – Agent Registry$/);
  });

  test('the form shows a message, and loads on Retry', { tag: ['@desktop', '@all'] }, async ({ page }) => {
    const unblock = await blockChunk(page, 'RegisterForm');
    await page.goto('/');
    await expect(page.getByText('The form could not be loaded.')).toBeVisible();
    await unblock();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Agent Name').fill(validAgent.name);
    await expect(page.getByLabel('Agent Name')).toHaveValue(validAgent.name);
  });

  test('the menu shows a message, and loads on Retry', { tag: ['@phone', '@all'] }, async ({ page }) => {
    const unblock = await blockChunk(page, 'NavDrawer');
    await page.goto('/');
    const menu = page.getByRole('button', { name: 'Open menu' });
    await menu.click();
    await expectAlert(page, 'The menu could not be loaded.');
    await menu.click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await menu.click();
    await expectAlert(page, 'The menu could not be loaded.');
    await unblock();
    await page.getByRole('button', { name: 'Try again' }).click();
    // A browser that caches the failed import reloads the page.
    await expect(async () => {
      if (await page.getByRole('dialog').isHidden()) await menu.click({ timeout: 1_000 });
      await expect(page.getByRole('dialog')).toBeVisible({ timeout: 1_000 });
    }).toPass();
  });

  test('a toast is shown as a message, and loads on Retry', { tag: ['@desktop', '@all'] }, async ({ page }) => {
    const unblock = await blockChunk(page, 'Toaster');
    await openForm(page);
    await page.getByRole('button', { name: 'Save Draft' }).click();
    await expectAlert(page, 'Draft saved');
    await unblock();
    await page.getByRole('button', { name: 'Try again' }).click();
    // A browser that caches the failed import reloads the page.
    await expect(async () => {
      if (await toast(page, 'Draft saved').isHidden()) {
        await page.getByRole('button', { name: 'Save Draft' }).click({ timeout: 1_000 });
      }
      await expect(toast(page, 'Draft saved')).toBeVisible({ timeout: 1_000 });
    }).toPass();
  });
});

test('without the times of paints the scripts are loaded at once', { tag: ['@desktop', '@all'] }, async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(PerformanceObserver, 'supportedEntryTypes', { get: () => ['resource'] });
    PerformanceObserver.prototype.observe = () => {};
  });
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Save Draft' })).toBeEnabled();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, expectedErrors: /Failed to load resource/ });

  test(
    'the first view looks the same before its stylesheet has arrived',
    { tag: ['@layout', '@all'] },
    async ({ page, client }, testInfo) => {
      const [agent] = await client.agents.list.query();
      for (const path of ['/', '/?q=translate', `/agent/${agent?.id}`]) {
        const release = await holdBack(page, 'GET', '**/assets/*.css');
        const asked = page.waitForRequest('**/assets/*.css');
        await page.goto(path, { waitUntil: 'commit' });
        await asked;
        await expect(page.getByRole('contentinfo')).toBeAttached();
        // As a snapshot, since a browser draws the edges of an image differently by a step of colour each time.
        const before = testInfo.snapshotPath('before.png');
        await page.screenshot({ path: before });
        release();
        await page.waitForLoadState('load');
        expect(await page.screenshot(), path).toMatchSnapshot('before.png', { maxDiffPixels: 0 });
        await page.unroute('**/assets/*.css');
      }
    },
  );
});
