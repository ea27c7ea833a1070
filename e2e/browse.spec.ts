import type { Page } from '@playwright/test';
import { expect, holdBack, openForm, test, validAgent } from './test.ts';

const PLACEHOLDER = 'Search agents by name, description, or capabilities...';

test('a long description is clamped to three lines', { tag: ['@desktop', '@all'] }, async ({ page, client }) => {
  const description = 'A long story about what this agent does. '.repeat(20).trim();
  const agent = await client.agents.register.mutate({ ...validAgent, name: 'Clamp', description });
  await page.goto('/?q=clamp');
  const text = page.getByRole('article', { name: agent.name }).getByText('A long story about what this agent does.');
  const { shown, whole, line } = await text.evaluate((element) => ({
    shown: element.clientHeight,
    whole: element.scrollHeight,
    line: Number.parseFloat(getComputedStyle(element).lineHeight),
  }));
  expect(Math.round(shown / line)).toBe(3);
  expect(whole).toBeGreaterThan(shown);
});

test(
  'a search lists matches, is in the URL, and works with back and forward',
  { tag: '@desktop' },
  async ({ page }) => {
    await page.goto('/');
    const box = page.getByPlaceholder(PLACEHOLDER);
    const cards = page.locator('#browse').getByRole('article');
    await box.fill('otterdesk');
    await box.press('Enter');
    await expect(page).toHaveURL('/?q=otterdesk');
    await expect(cards.first()).toHaveAccessibleName('OtterDesk');

    await box.fill('');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page).toHaveURL('/');
    await expect(cards).toHaveCount(12);

    await page.goBack();
    await expect(box).toHaveValue('otterdesk');
    await expect(cards.first()).toHaveAccessibleName('OtterDesk');
    await page.goForward();
    await expect(box).toHaveValue('');
    await expect(cards).toHaveCount(12);
  },
);

test(
  'choosing a category clears the search text, and the active one clears the filter',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await page.goto('/?q=otterdesk');
    const button = page.getByRole('button', { name: 'Computer', exact: true });
    await button.click();
    await expect(page).toHaveURL('/?category=vision');
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByPlaceholder(PLACEHOLDER)).toHaveValue('');
    const cards = page.locator('#browse').getByRole('article');
    await expect(cards.filter({ hasText: 'Computer Vision' })).toHaveCount(7);
    await expect(cards).toHaveCount(7);

    await button.click();
    await expect(page).toHaveURL('/');
    await expect(button).toHaveAttribute('aria-pressed', 'false');
    await expect(cards).toHaveCount(12);
  },
);

test(
  'choosing a category shows skeleton cards and clears text that was typed, but not in another tab',
  { tag: '@desktop' },
  async ({ page, context }) => {
    await page.goto('/');
    const box = page.getByPlaceholder(PLACEHOLDER);
    const button = page.getByRole('button', { name: 'Computer', exact: true });
    await box.fill('foo');
    await box.blur();
    await test.step('a category that is opened in another tab leaves this page as it is', async () => {
      const opened = context.waitForEvent('page', { timeout: 15_000 });
      await button.click({ modifiers: ['ControlOrMeta'] });
      const other = await opened;
      await expect(other).toHaveURL('/?category=vision');
      await other.close();
      await expect(button).toHaveAttribute('aria-pressed', 'false');
      await expect(box).toHaveValue('foo');
    });
    await test.step('choosing it shows six skeleton cards, and clears text that was typed and not searched', async () => {
      const release = await holdBack(page, 'GET', '**/api/agents/category/vision');
      await button.click();
      await expect(page.getByTestId('skeleton-card')).toHaveCount(6);
      release();
      await expect(page.getByTestId('skeleton-card')).toHaveCount(0);
      await expect(page.locator('#browse').getByRole('article')).toHaveCount(7);
      await expect(page).toHaveURL('/?category=vision');
      await expect(button).toHaveAttribute('aria-pressed', 'true');
      await expect(box).toHaveValue('');
    });
    await test.step('box and list agree after the filter is cleared', async () => {
      await box.fill('foo');
      await box.blur();
      await button.click();
      await expect(page).toHaveURL('/');
      await expect(box).toHaveValue('');
    });
    await test.step('going back keeps the focus', async () => {
      await box.focus();
      await page.goBack();
      await expect(button).toHaveAttribute('aria-pressed', 'true');
      await expect(box).toBeFocused();
      await page.goBack();
      await expect(button).toHaveAttribute('aria-pressed', 'false');
      await expect(box).toBeFocused();
    });
  },
);

test(
  'a category wins over a search text, which can be searched in all agents',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await page.goto('/?category=vision');
    await page.getByPlaceholder(PLACEHOLDER).fill('otterdesk');
    await page.getByPlaceholder(PLACEHOLDER).press('Enter');
    const cards = page.locator('#browse').getByRole('article');
    await expect(cards).toHaveCount(7);
    await page.getByRole('button', { name: "Search all agents for 'otterdesk'" }).click();
    await expect(page.locator('#browse')).toBeFocused();
    await expect(page).toHaveURL('/?q=otterdesk');
    await expect(cards.first()).toHaveAccessibleName('OtterDesk');
    await expect(page.getByRole('button', { name: 'Computer', exact: true })).toHaveAttribute('aria-pressed', 'false');
  },
);

test(
  'Load More Agents shows twelve more, which stay after a skip link, focuses the first of them, and stays when all are shown',
  { tag: ['@desktop', '@all'] },
  async ({ page, client }) => {
    const total = (await client.agents.list.query()).length;
    await page.goto('/');
    const browse = page.locator('#browse');
    const cards = browse.getByRole('article');
    const more = page.getByRole('button', { name: 'Load More Agents' });
    await expect(browse.getByRole('status')).toHaveText(`Showing 12 of ${total} agents`);

    await more.click();
    await expect(cards).toHaveCount(24);
    await expect(cards.nth(12).getByRole('link').first()).toBeFocused();
    await expect(browse.getByRole('status')).toHaveText(`Showing 24 of ${total} agents`);

    await test.step('the cards stay when the visitor skips to the content or a section', async () => {
      await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
      await expect(page.getByRole('main')).toBeFocused();
      await expect(cards).toHaveCount(24);
      await page.getByRole('banner').getByRole('link', { name: 'Categories' }).click();
      await expect(page).toHaveURL(/#categories$/);
      await expect(cards).toHaveCount(24);
    });

    for (let shown = 24; shown < total; shown += 12) await more.click();
    await expect(cards).toHaveCount(total);
    await expect(browse.getByRole('status')).toHaveText(`All ${total} agents are shown.`);
    await expect(more).toHaveAttribute('aria-disabled', 'true');
    await more.press('Enter');
    await expect(cards).toHaveCount(total);
  },
);

test.describe('when the list cannot be read', () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  test(
    'a message says why; Retry or the online event loads it',
    { tag: ['@desktop', '@all'] },
    async ({ page, context }) => {
      const agents = page.getByRole('group', { name: 'Agents' });
      const filter = (name: string) => page.getByRole('button', { name, exact: true });
      await page.goto('/');
      await page.route('**/api/agents/category/vision', (route) => route.abort(), { times: 1 });
      await filter('Computer').click();
      await expect(agents.getByRole('alert')).toContainText('The registry could not be reached.');
      await agents.getByRole('button', { name: 'Try again' }).click();
      await expect(agents).toBeFocused();
      await expect(agents.getByRole('article')).toHaveCount(7);

      await context.setOffline(true);
      await filter('Language').click();
      await expect(agents.getByRole('alert')).toContainText('You seem to be offline.');
      await expect(agents.getByRole('button', { name: 'Try again' })).toBeVisible();
      await expect(agents.getByRole('article')).toHaveCount(0);
      // The event can come before the network.
      const release = await holdBack(page, 'GET', '**/api/agents/category/language');
      await context.setOffline(false);
      release();
      await expect(agents.getByRole('article')).toHaveCount(7);
      await expect(agents.getByRole('alert')).toHaveCount(0);
    },
  );
});

test(
  'the / key focuses the search field on the screen, except while typing',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await openForm(page, '/?q=otter');
    const box = page.getByPlaceholder(PLACEHOLDER);
    await page.keyboard.press('Control+/');
    await expect(box).not.toBeFocused();
    await page.keyboard.press('/');
    await expect(box).toBeFocused();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('otter');
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL('/');
    await expect(box).toHaveValue('');
    await page.getByLabel('Agent Name').fill('and');
    await page.keyboard.press('/');
    await expect(page.getByLabel('Agent Name')).toHaveValue('and/');

    await page.getByRole('heading', { name: 'Categories' }).scrollIntoViewIfNeeded();
    await page.getByLabel('Agent Name').blur();
    await expect(page.getByPlaceholder('Search agents', { exact: true })).toBeVisible();
    await page.keyboard.press('/');
    await expect(page.getByPlaceholder('Search agents', { exact: true })).toBeFocused();
    await page.keyboard.type('otterdesk');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/?q=otterdesk');
    await expect(page.locator('#browse').getByRole('article').first()).toBeInViewport();
  },
);

test(
  'embedded data is not requested, nothing is requested twice, and going back requests nothing',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) calls.push(pathname);
    });
    await page.goto('/');
    await expect(page.locator('#browse').getByRole('article')).toHaveCount(12);
    await page.getByRole('link', { name: 'View Details →' }).first().click();
    await expect(page.getByRole('link', { name: 'Contact Agent Owner' })).toBeVisible();
    await page.goBack();
    await expect(page.locator('#browse').getByRole('article')).toHaveCount(12);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    // What is below an agent may load after the visitor has gone back.
    expect(calls.filter((path) => !/\/category\/|\/search$|\/history$|\/facts$/.test(path))).toEqual([
      expect.stringMatching(/^\/api\/agents\/[\da-f-]{36}$/),
    ]);

    await page.getByRole('button', { name: 'Load More Agents' }).click();
    await expect(page.locator('#browse').getByRole('article')).toHaveCount(24);
    await page.getByRole('button', { name: 'Load More Agents' }).click();
    await expect(page.locator('#browse').getByRole('article')).toHaveCount(36);
    expect(calls.at(-1)).toBe('/api/agents');
  },
);

test.describe('a list with an unknown cursor', () => {
  // The first request, with the cursor, is refused.
  test.use({ expectedErrors: /status of 400/ });

  test('starts with the first agent', { tag: ['@desktop', '@all'] }, async ({ page, client }) => {
    const agents = await client.agents.list.query();
    const elsewhere = agents.find(({ category }) => category !== 'vision');
    const cards = page.locator('#browse').getByRole('article');
    for (const path of [`/?category=vision&after=${elsewhere?.id}`, '/?after=3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f']) {
      const [first] = path.includes('vision') ? agents.filter(({ category }) => category === 'vision') : agents;
      await page.goto(path);
      await expect(cards.first()).toHaveAccessibleName(first?.name ?? '');
      await expect(page.getByRole('link', { name: 'Back to the first agents' })).toBeVisible();
    }
    await page.getByRole('button', { name: 'Load More Agents' }).click();
    await expect(cards).toHaveCount(24);
    await expect(cards.nth(12)).toHaveAccessibleName(agents[12]?.name ?? '');
  });
});

test(
  'a search that no agent has all words of says so in the count',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    const count = /agents? with some of these words for ‘otterdesk zeppelin’/;
    const response = await page.request.get('/?q=otterdesk+zeppelin');
    expect(await response.text()).toMatch(count);
    await page.goto('/?q=otterdesk+zeppelin');
    await expect(page.locator('#browse').getByText(count)).toBeVisible();
    const agents = page.getByRole('group', { name: 'Agents' });
    await expect(agents.getByRole('article').first()).toHaveAccessibleName('OtterDesk');
  },
);

test(
  'a search says what it leaves out, and each part can be removed',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    const path = '/?q=otterdesk+without+zeppelins+pricing:free,freemium,paid,enterprise';
    const response = await page.request.get(path);
    expect(await response.text()).toContain('aria-label="Remove the filter not: zeppelins"');
    await page.goto(path);
    await page.getByRole('link', { name: 'Remove the filter not: zeppelins' }).click();
    await expect(page).toHaveURL('/?q=otterdesk+pricing%3Afree,freemium,paid,enterprise');
    const tokens = page.getByRole('list', { name: 'Active filters' });
    await expect(tokens.getByRole('listitem')).toHaveText(['Pricing: free,freemium,paid,enterprise ×', 'Clear all']);
  },
);

test(
  'a pasted long text leads to a search for its most telling words',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await page.goto('/');
    const box = page.getByPlaceholder(PLACEHOLDER);
    await box.fill(`${'and for the '.repeat(30)} otterdesk`);
    await box.press('Enter');
    await expect(page).toHaveURL('/?q=otterdesk#pasted');
    const notice = page.getByText('Your text is long, so its most telling words are searched for.');
    await expect(notice).toBeVisible();
    await box.fill('otter');
    await box.press('Enter');
    await expect(page).toHaveURL('/?q=otter');
    await expect(notice).toBeHidden();
  },
);

test('a misspelled search shows and highlights the correction', { tag: ['@desktop', '@all'] }, async ({ page }) => {
  await page.goto('/?q=oterdesk');
  const browse = page.locator('#browse');
  await expect(browse.getByText('Showing results for ‘otterdesk’')).toBeVisible();
  await expect(browse.getByRole('article').first()).toHaveAccessibleName('OtterDesk');
  await expect(browse.getByRole('article').first().locator('mark').first()).toHaveText('OtterDesk');
  await page.getByPlaceholder(PLACEHOLDER).fill('otterdesk');
  await page.getByPlaceholder(PLACEHOLDER).press('Enter');
  await expect(browse.getByText('Showing results for')).toHaveCount(0);
  await page.goto('/?q=oterdesk');
  await browse.getByRole('link', { name: 'Search instead for ‘oterdesk’' }).click();
  await expect(page).toHaveURL('/?q=oterdesk&correct=false');
  await expect(browse.getByText('Showing results for')).toHaveCount(0);
});

test.describe('before its cards are rendered', () => {
  /** Clicks elements one after the other within one task, in which React renders no transition. @returns the cards */
  const pressQuickly = (page: Page, selectors: string[]) =>
    page.evaluate(async (selectors) => {
      for (const selector of selectors) {
        document.querySelector<HTMLElement>(selector)?.click();
        // React renders what a control shows in a microtask after the event.
        await Promise.resolve();
      }
      return document.querySelectorAll('#browse article').length;
    }, selectors);

  test(
    'a choice shows at its control, the next one adds to it, and each press of Load More Agents shows twelve more',
    { tag: '@desktop' },
    async ({ page, client }) => {
      const total = (await client.agents.list.query()).length;
      await page.goto('/');
      const browse = page.locator('#browse');
      const cards = browse.getByRole('article');
      expect(await pressQuickly(page, ['[name=pricing][value=free]', '[name=apiAccess][value=yes]'])).toBe(12);
      await expect(page).toHaveURL('/?pricing=free&apiAccess=yes');
      await expect(page).toHaveTitle('Free, API Available – Agent Registry');
      const tokens = browse.getByRole('list', { name: 'Active filters' });
      await expect(tokens.getByRole('listitem')).toHaveText(['Free ×', 'API Available ×', 'Clear all']);
      for (const hasNotText of ['Free', 'API']) await expect(cards.filter({ hasNotText })).toHaveCount(0);

      await pressQuickly(page, [
        '[aria-label="Remove the filter Free"]',
        '[aria-label="Remove the filter API Available"]',
      ]);
      await expect(page).toHaveURL('/');
      await expect(cards).toHaveCount(12);

      await page.getByRole('button', { name: 'Load More Agents' }).click();
      await expect(cards).toHaveCount(24);
      const loadMore = '#browse form[action="/#results"] button';
      expect(await pressQuickly(page, [loadMore, loadMore])).toBe(24);
      await expect(cards).toHaveCount(Math.min(48, total));
      await expect(cards.nth(24).getByRole('link').first()).toBeFocused();
    },
  );

  test(
    'the logo empties the search box, and text typed after Escape stays',
    { tag: ['@desktop', '@all'] },
    async ({ page }) => {
      await page.goto('/?q=otterdesk');
      const box = page.getByPlaceholder(PLACEHOLDER);
      await page.getByRole('link', { name: 'Agent Registry' }).first().click();
      await expect(page).toHaveURL('/');
      await expect(box).toHaveValue('');
      await page.goto('/?q=otterdesk');
      const text = await box.evaluate(async (input: HTMLInputElement) => {
        input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
        await Promise.resolve();
        input.focus();
        document.execCommand('insertText', false, 'new');
        return input.value;
      });
      expect(text).toBe('new');
      await expect(page).toHaveURL('/');
      await expect(page.locator('#browse').getByRole('article')).toHaveCount(12);
      await expect(box).toHaveValue('new');
    },
  );
});
