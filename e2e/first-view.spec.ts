import { gunzipSync } from 'node:zlib';
import budgets from '../scripts/size-budget.json' with { type: 'json' };
import { expect, test } from './test.ts';

/** What the first screen shows: the hero, the first card, how the texts are set, the Tab stops before the first card. */
const measure = () => {
  const card = document.querySelector('#browse article');
  const isBefore = (element: Element) =>
    card !== null && (element.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
  const texts = Array.from(document.querySelectorAll('body *')).filter(
    (element) =>
      element.getBoundingClientRect().top < window.innerHeight &&
      element.checkVisibility({ visibilityProperty: true }) &&
      Array.from(element.childNodes).some(
        ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
      ),
  );
  const stops = document.querySelectorAll<HTMLElement>('a[href], button, select, input:not([type=hidden])');
  return {
    hero: document.querySelector('main > section')?.getBoundingClientRect().height ?? 0,
    card: card?.getBoundingClientRect().top ?? Infinity,
    overflow: document.documentElement.scrollWidth - window.innerWidth,
    sizes: new Set(texts.map((text) => getComputedStyle(text).fontSize)).size,
    weights: new Set(texts.map((text) => getComputedStyle(text).fontWeight)).size,
    stops: Array.from(stops).filter(
      (element) => isBefore(element) && element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }),
    ).length,
  };
};

test(
  'the first card is on the first screen, also with large text nothing is wider than it',
  { tag: '@layout' },
  async ({ page, isMobile }) => {
    for (const [path, card, hero] of [
      ['/?q=translate', 300, 52],
      ['/?category=vision&pricing=free&sort=rating', isMobile ? 380 : 300, 52],
      ['/', isMobile ? 560 : 500, isMobile ? 300 : 260],
    ] as const) {
      await page.goto(path);
      const found = await page.evaluate(measure);
      expect(found.card, path).toBeLessThanOrEqual(card);
      expect(found.hero, path).toBeLessThanOrEqual(hero);
      expect(found.overflow, path).toBeLessThanOrEqual(0);
      expect(found.sizes, path).toBeLessThanOrEqual(6);
      expect(found.weights, path).toBeLessThanOrEqual(4);
      if (path === '/') expect(found.stops).toBeLessThan(22);
      await page.addStyleTag({ content: 'html { font-size: 200% }' });
      expect((await page.evaluate(measure)).overflow, path).toBeLessThanOrEqual(0);
    }
    if (!isMobile) return;
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 640 });
      expect((await page.evaluate(measure)).overflow, `${width} px`).toBeLessThanOrEqual(0);
      await expect(page.getByRole('button', { name: 'Open menu' })).toBeInViewport({ ratio: 1 });
      const brand = page.getByRole('banner').getByText('Agent Registry');
      expect(await brand.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    }
  },
);

test('on a touch screen the controls of browsing are at least 44 px tall', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/?q=translate&apiAccess=yes');
  const small = await page
    .locator('header :is(a, button), #browse :is(a, button, summary, input[name=q], .pill)')
    .evaluateAll((controls) =>
      controls
        .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest('h3'))
        .filter((control) => Math.round(control.getBoundingClientRect().height) < 44)
        .map((control) => `${control.outerHTML.slice(0, 120)} ${control.getBoundingClientRect().height}`),
    );
  expect(small).toEqual([]);
});

test(
  'the categories, filters and order are in one line, from 1232 px with icons and counts',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await page.goto('/');
    const pills = page.getByRole('group', { name: 'Filters' });
    // The widest counts below a million.
    const counts = pills.locator('[aria-hidden]:not(svg)');
    await counts.evaluateAll((all) => all.forEach((count) => (count.textContent = '8.8k')));
    for (const width of [992, 1024, 1231, 1232, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const areShown = await counts.evaluateAll((all) => all.map((count) => count.checkVisibility()));
      expect(areShown, `${width} px`).toEqual(Array(6).fill(width >= 1232));
      await expect(pills.locator('svg').first()).toBeVisible({ visible: width >= 1232 });
      const room = await pills.evaluate((group) => {
        // What is beyond it fades out.
        const end = group.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(group).paddingRight);
        return end - (group.lastElementChild?.getBoundingClientRect().right ?? Infinity);
      });
      expect(room, `${width} px`).toBeGreaterThanOrEqual(0);
      const tops = await page
        .locator('#browse :is([popovertarget=filters], select)')
        .filter({ visible: true })
        .evaluateAll((controls) => controls.map((control) => control.getBoundingClientRect().top));
      expect(tops).toHaveLength(2);
      expect(new Set(tops).size).toBe(1);
    }
  },
);

test('the home page keeps its budget on the first request', { tag: '@desktop' }, async ({ registry }) => {
  // Without the decompression of fetch.
  const { request } = await import('node:http');
  const body = await new Promise<Buffer>((resolve, reject) => {
    const sent = request(registry.url, { headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
    });
    sent.on('error', reject).end();
  });
  expect(gunzipSync(body).toString()).toContain('<article');
  expect(body.length).toBeLessThanOrEqual(budgets['home, document'].max);
});

test('the page of an agent with connections is at most 90 kB', { tag: '@desktop' }, async ({ registry, client }) => {
  const [agent] = await client.agents.search.query({ q: 'Front Desk 24' });
  const html = await (await fetch(`${registry.url}/agent/${agent?.id}`)).text();
  expect(html).toContain('Connect');
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(90_000);
});

test('filters narrow the list at once, are removed alone, and work with back', async ({ page, client, isMobile }) => {
  const agents = await client.agents.list.query();
  const free = agents.filter(({ pricingModel }) => pricingModel === 'free');
  const freeWithApi = free.filter(({ apiAccess }) => apiAccess === 'yes').toSorted((a, b) => b.rating - a.rating);
  const browse = page.locator('#browse');
  await page.goto('/');
  const filters = page.getByRole('button', { name: /^Filters/ });
  await filters.click();
  await expect(browse.getByLabel(`Free ${free.length}`)).not.toBeChecked();
  // On the text, which a mouse could select.
  await browse.getByRole('form').getByText('Free', { exact: true }).click();
  await expect(page).toHaveURL('/?pricing=free');
  await browse.getByLabel(`API Available ${freeWithApi.length}`).check();
  const hero = page.locator('main > section').first();
  const { height } = (await hero.boundingBox()) ?? {};
  if (!isMobile) await page.keyboard.press('Escape');
  await browse.getByRole('combobox', { name: 'Sort' }).filter({ visible: true }).selectOption('Best rated first');
  expect((await hero.boundingBox())?.height, 'the hero keeps its height').toBe(height);
  await expect(page).toHaveURL('/?pricing=free&apiAccess=yes&sort=rating');
  if (isMobile) await page.getByRole('button', { name: `Show ${freeWithApi.length} agents` }).tap();
  await expect(browse.getByText(`${freeWithApi.length} agents · best rated first`)).toBeVisible();
  const cards = browse.getByRole('article');
  await expect(cards).toHaveCount(freeWithApi.length);
  await expect(cards.first()).toContainText(`${freeWithApi[0]?.rating.toFixed(1)}`);
  await expect(cards.first()).toBeInViewport();
  await page.getByRole('link', { name: 'Remove the filter Free' }).click();
  await expect(page).toHaveURL('/?apiAccess=yes&sort=rating');
  await page.goBack();
  await expect(cards).toHaveCount(freeWithApi.length);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test(
    'filters are a form, and pages have links to those beside them',
    { tag: ['@desktop', '@all'] },
    async ({ page }) => {
      await page.goto('/');
      await expect(page.getByRole('button', { name: 'Language', exact: true })).toBeInViewport({ ratio: 1 });
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.locator('#browse').getByLabel(/^Paid/).check();
      await page.getByRole('button', { name: 'Show agents' }).click();
      await expect(page).toHaveURL(/pricing=paid/);
      await expect(page.locator('#browse').getByRole('article').first()).toContainText('Paid');

      await page.goto('/');
      const first = await page.locator('#browse').getByRole('article').allTextContents();
      await page.getByRole('button', { name: 'Load More Agents' }).click();
      const pages = page.getByRole('navigation', { name: 'Pages' });
      await expect(pages).toContainText(/13–24 of \d+/);
      await pages.getByRole('link', { name: '← Previous' }).click();
      expect(await page.locator('#browse').getByRole('article').allTextContents()).toEqual(first);
    },
  );
});
