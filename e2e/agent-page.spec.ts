import type { Page } from '@playwright/test';
import { expectNoViolations, expectReflow } from './expect-no-violations.ts';
import { expect, holdBack, openForm, test, toast, validAgent } from './test.ts';

/** The agent of the page, without the cards below it. */
const theAgent = (page: Page) => page.getByRole('article').filter({ has: page.getByRole('heading', { level: 1 }) });

test(
  'an agent’s page shows all fields, counts a view, and is printed',
  { tag: '@desktop' },
  async ({ page, client }) => {
    const agent = await client.agents.register.mutate({
      ...validAgent,
      name: 'Whole Story',
      contactEmail: 'a+b@marmot.example.com',
    });
    const before = (await client.stats.get.query()).monthlyViews;
    await page.goto(`/agent/${agent.id}`);
    await expect(page).toHaveTitle(/Whole Story/);
    const article = theAgent(page);
    await expect(article.getByRole('heading', { level: 1 })).toHaveText('Whole Story');
    await expect(article).toContainText('Automation & Workflow');
    await expect(article).toContainText('0.0');
    await expect(article).toContainText('(0 reviews)');
    await expect(article).toContainText(agent.description);
    const capabilities = article.locator('section', { has: page.getByRole('heading', { name: 'Capabilities' }) });
    await expect(capabilities.getByRole('listitem')).toHaveText(agent.capabilities);
    const fact = (label: string) => article.locator('dl > div', { hasText: label }).getByRole('definition');
    await expect(fact('Pricing Model')).toHaveText('Freemium');
    await expect(fact('API Access')).toHaveText('Available');
    const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    await expect(fact('Added')).toHaveText(today.format(new Date(agent.createdAt)));
    await expect(article.getByRole('link', { name: 'Contact Agent Owner' })).toHaveAttribute(
      'href',
      'mailto:a%2Bb@marmot.example.com',
    );
    const website = article.getByRole('link', { name: 'Visit Website' });
    await expect(website).toHaveAttribute('href', 'https://marmot.example.com/');
    await expect(website).toHaveAttribute('target', '_blank');
    await expect(website).toHaveAttribute('rel', /ugc nofollow noopener/);
    await expect(article).toContainText('marmot.example.com');
    await expect(article.getByRole('link', { name: 'mail sorting' })).toHaveAttribute(
      'href',
      '/?capability=mail+sorting',
    );
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link')).toHaveText([
      '← All agents',
      'Automation & Workflow',
    ]);
    const more = page.getByRole('region', { name: 'More in Automation & Workflow' });
    await expect(more.getByRole('article')).toHaveCount(3);
    await expect(more.getByRole('heading', { name: 'Whole Story' })).toHaveCount(0);
    expect((await client.stats.get.query()).monthlyViews).toBeGreaterThan(before);

    await test.step('a printed page has the addresses instead of buttons', async () => {
      await expect(article.getByText(agent.contactEmail)).toBeHidden();
      await page.emulateMedia({ media: 'print' });
      await expect(article.getByText(agent.contactEmail)).toBeVisible();
      await expect(article.getByText('https://marmot.example.com')).toBeVisible();
      for (const name of ['Contact Agent Owner', 'Visit Website']) {
        await expect(article.getByText(name)).toBeHidden();
      }
    });
  },
);

test(
  'an agent’s page has its actions at hand, one of them filled, and a right-to-left name turns its head',
  { tag: '@layout' },
  async ({ page, client, isMobile }) => {
    const agent = await client.agents.register.mutate({
      ...validAgent,
      name: 'مساعد البريد',
      // Its name has the longest word, which the cards below show beside their marks.
      category: 'chatbot',
      description: 'Read https://marmot.example.com/docs, please.',
    });
    await page.goto(`/agent/${agent.id}`);
    const article = theAgent(page);
    const box = async (name: string | RegExp) => {
      const found = await article.getByRole('link', { name }).boundingBox();
      return found ?? { x: 0, y: 0, width: 0, height: 0 };
    };
    const [contact, website] = [await box('Contact Agent Owner'), await box('Visit Website')];
    const filled = await article
      .locator('header a')
      .evaluateAll((links) =>
        links
          .filter((link) => getComputedStyle(link).backgroundColor === 'rgb(255, 255, 255)')
          .map((link) => link.textContent),
      );
    expect(filled).toEqual(['Visit Website']);
    expect(Math.min(contact.height, website.height)).toBeGreaterThanOrEqual(44);
    const { height, width } = page.viewportSize() ?? { height: 0, width: 0 };
    if (isMobile) {
      expect(website.y).toBeGreaterThan(height - 80);
      expect(contact.y).toBeLessThan(height / 2);
      await page.getByRole('link', { name: 'All agents as JSON' }).focus();
      const last = await page.getByText('All rights reserved.').evaluate((text) => {
        text.scrollIntoView({ block: 'end' });
        window.scrollTo(0, document.body.scrollHeight);
        return text.getBoundingClientRect().bottom;
      });
      expect(last).toBeLessThan(website.y);
      expect((await box('mail sorting')).height).toBeGreaterThanOrEqual(44);
      // The code comes last.
      const labels = ['Capabilities', 'Pricing Model', 'What is known about this entry'];
      const tops = await Promise.all(
        [...labels, 'Read this entry from a program'].map(
          async (text) => (await article.getByText(text, { exact: true }).boundingBox())?.y ?? 0,
        ),
      );
      expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    } else {
      expect(website.y).toBeLessThan(400);
      expect(contact.y).toBe(website.y);
    }
    const head = article.locator('header [dir=auto]').first();
    await expect(head).toHaveCSS('direction', 'rtl');
    const [mark, name] = [await head.locator('span').first().boundingBox(), await head.locator('h1').boundingBox()];
    expect(mark?.width).toBe(isMobile ? 64 : 88);
    expect(mark?.x).toBeGreaterThan((name?.x ?? 0) + (name?.width ?? 0) - 1);
    // Text at 200 %.
    await page.addStyleTag({ content: 'html { font-size: 200% !important }' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const link = article.getByRole('link', { name: 'https://marmot.example.com/docs' });
    await expect(link).toHaveAttribute('rel', /ugc nofollow/);
  },
);

test(
  'API access no or planned reads Not Available, and without a website there is no website link',
  { tag: ['@desktop', '@all'] },
  async ({ page, client }) => {
    for (const apiAccess of ['no', 'planned'] as const) {
      const agent = await client.agents.register.mutate({ ...validAgent, apiAccess, website: null });
      await page.goto(`/agent/${agent.id}`);
      await expect(page.getByText('Not Available')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Visit Website' })).toHaveCount(0);
    }
  },
);

test(
  'an agent from a loaded list is shown at once, another after its skeleton',
  { tag: ['@desktop', '@all'] },
  async ({ page, client }) => {
    const agents = await client.agents.list.query();
    const [first, last] = [agents[0], agents.at(-1)];
    const release = await holdBack(page, 'GET', '**/api/agents/*');
    await openForm(page);
    await page.getByRole('article').first().getByRole('link', { name: 'View Details →' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(first?.name ?? '');
    await page.evaluate((path) => {
      window.history.pushState(null, '', path);
      window.dispatchEvent(new PopStateEvent('popstate'));
    }, `/agent/${last?.id}`);
    await expect(page.getByTestId('agent-skeleton')).toBeVisible();
    release();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(last?.name ?? '');
  },
);

test(
  'a card leads to its agent, and the page starts at the top with the focus',
  { tag: ['@phone', '@all'] },
  async ({ page }) => {
    await page.goto('/?q=otterdesk');
    await page.getByRole('article', { name: 'OtterDesk' }).getByRole('link', { name: 'View Details →' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('OtterDesk');
    await expect(page.getByRole('main')).toBeFocused();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  },
);

test(
  'the URL of an agent’s page can be copied, or is shown where the clipboard is missing',
  { tag: ['@desktop', '@all'] },
  async ({ page, context, client }) => {
    const agent = (await client.agents.list.query()).find(({ connections = [] }) => connections.length === 0);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/agent/${agent?.id}?from=somewhere`);
    const address = (await page.locator('link[rel=canonical]').getAttribute('href')) ?? '';
    await page.getByRole('button', { name: 'Copy Link' }).click();
    await expect(toast(page, 'Link copied')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);

    await theAgent(page).getByRole('button', { name: 'Copy the code' }).click();
    await expect(toast(page, 'Code copied')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `curl ${address.replace('/agent/', '/api/agents/')}`,
    );

    // As on plain http.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    const [dialog] = await Promise.all([
      page.waitForEvent('dialog').then(async (shown) => {
        await shown.dismiss();
        return shown;
      }),
      page.getByRole('button', { name: 'Copy Link' }).click(),
    ]);
    expect([dialog.type(), dialog.defaultValue()]).toEqual(['prompt', address]);
  },
);

test('axe finds nothing on an agent’s page; it has a line of code, and the badge is in a dialog, by keyboard alone', async ({
  page,
  client,
}) => {
  const [agent] = await client.agents.search.query({ q: 'transcription' });
  await page.goto(`/agent/${agent?.id}`);
  await expect(page.getByRole('button', { name: 'Copy Link' })).toBeVisible();
  await expectNoViolations(page);
  await expectReflow(page);
  const article = theAgent(page);
  await expect(article.getByText(new RegExp(`^curl https?://.+/api/agents/${agent?.id}$`))).toBeVisible();
  await expect(article.getByRole('link', { name: 'API reference' })).toHaveAttribute('href', '/api/docs');

  const open = article.getByRole('button', { name: 'Badge' });
  await open.focus();
  // It is an icon.
  await expect(page.getByRole('tooltip')).toHaveText('Badge');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Badge' });
  await expect(dialog.getByRole('img', { name: 'The badge of the entry' })).toBeVisible();
  await expect(dialog.getByLabel('Badge for a README')).toHaveValue(new RegExp(`/agent/${agent?.id}/badge.svg`));
  await expectNoViolations(page, '[role=dialog]');
  await expectReflow(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(open).toBeFocused();
});

test(
  'Connect of two ways is at most 340 px high, its button is on the first screen, nothing jumps, and tabs follow the keys',
  { tag: '@desktop' },
  async ({ page, client }) => {
    const connections = [
      { kind: 'mcp', transport: 'streamable-http', url: 'https://marmot.example.com/mcp' },
      { kind: 'mcp-package', registry: 'npm', identifier: '@marmot/mail', version: '1.0.0' },
    ] as const;
    const { id } = await client.agents.register.mutate({
      ...validAgent,
      name: 'Two Ways',
      connections: [...connections],
    });
    await page.addInitScript(() => {
      const shifts: number[] = [];
      new PerformanceObserver((list) =>
        list.getEntries().forEach((entry) => shifts.push((entry as PerformanceEntry & { value: number }).value)),
      ).observe({ type: 'layout-shift', buffered: true });
      Object.assign(window, { shifts });
    });
    await page.goto(`/agent/${id}`);
    const connect = page.locator('#connect');
    expect((await connect.boundingBox())?.height).toBeLessThanOrEqual(340);
    await expect(connect.getByRole('link', { name: 'Add to VS Code' })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
    await expectNoViolations(page);

    await connect.getByRole('tab', { name: /^Remote server/ }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(connect.getByRole('tab', { name: 'Package npm' })).toBeFocused();
    const npm = connect.getByRole('tabpanel', { name: 'Package npm' });
    await expect(npm).toContainText('This package runs code on your machine.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await expect(npm.getByRole('tab', { name: 'More' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(npm.getByRole('tabpanel').last()).toContainText('Claude Desktop');
    await expectNoViolations(page, '#connect');
    await expectReflow(page);
  },
);

test.describe('without an agent', () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  test(
    'an unknown or invalid id gives Agent Not Found with status 404',
    { tag: ['@desktop', '@all'] },
    async ({ page }) => {
      for (const id of ['3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f', 'no-uuid']) {
        const response = await page.goto(`/agent/${id}`);
        expect(response?.status()).toBe(404);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agent Not Found');
        await expect(page.getByText('The requested agent could not be found.')).toBeVisible();
      }
      await expectNoViolations(page);
    },
  );

  test(
    'an error of the registry gives Agent Not Found with a Retry button',
    { tag: ['@desktop', '@all'] },
    async ({ page }) => {
      await page.route('**/api/agents/*', (route) => route.fulfill({ status: 500, body: 'no' }), { times: 1 });
      await page.goto('/?q=otterdesk');
      await page.getByRole('article', { name: 'OtterDesk' }).getByRole('link', { name: 'View Details →' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agent Not Found');
      await expect(page.getByText('The agent may be there all the same.')).toBeVisible();
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('OtterDesk');
      await expect(page.getByRole('main')).toBeFocused();
    },
  );

  test(
    'offline, an agent whose card is shown has its page from memory, and is loaded when the browser is online again',
    { tag: ['@desktop', '@all'] },
    async ({ page, context }) => {
      // The last of the chunks that an agent's page is made of.
      const code = page.waitForResponse('**/assets/MoreAgents-*.js');
      await page.goto('/');
      await (await code).finished();
      // Cards that the server has rendered have the start of a description only.
      await page.getByPlaceholder('Search agents by name').fill('otterdesk');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/?q=otterdesk');
      await expect(page.locator('#browse').getByRole('article').first()).toHaveAccessibleName('OtterDesk');
      await context.setOffline(true);
      await page.getByRole('article', { name: 'OtterDesk' }).getByRole('link', { name: 'View Details →' }).click();
      const notice = page.getByText('This entry was loaded before and may have changed.');
      await expect(notice).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('OtterDesk');
      await context.setOffline(false);
      await expect(notice).toBeHidden();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('OtterDesk');
    },
  );

  test(
    'any other path gives 404 Page Not Found with status 404 and the header',
    { tag: '@desktop' },
    async ({ page }) => {
      const response = await page.goto('/no/such/page');
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found');
      await expect(page.getByRole('main').getByRole('listitem').getByRole('link')).toHaveCount(6);
      await expectNoViolations(page);
      await page.getByRole('main').getByRole('combobox', { name: 'Search agents' }).fill('otterdesk');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/?q=otterdesk');
      await page.goBack();
      await page.getByRole('link', { name: 'Back to all agents' }).click();
      await expect(page).toHaveURL('/');
    },
  );
});
