import type { Page } from '@playwright/test';
import { expectNoViolations, expectReflow } from './expect-no-violations.ts';
import { expect, holdBack, openForm, tabTo, test, toast, validAgent } from './test.ts';

test.use({ expectedErrors: /Failed to load resource/ });

const submitButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Register Agent' });

test(
  'axe finds no violations on the home page, and it reflows on narrow and zoomed screens',
  { tag: '@desktop' },
  async ({ page }) => {
    await openForm(page);
    await expect(page.locator('#browse').getByRole('article')).toHaveCount(12);
    await expectNoViolations(page);
    await expectReflow(page);
  },
);

// The rest of the page is covered above.
test('axe finds no violations in any state of the list', { tag: '@desktop' }, async ({ page }) => {
  const search = async (text: string) => {
    await page.getByRole('combobox', { name: 'Search agents' }).fill(text);
    await page.getByRole('combobox', { name: 'Search agents' }).press('Enter');
  };
  await page.goto('/');
  const release = await holdBack(page, 'GET', '**/api/search?*');
  await search('zzzzzz');
  await expect(page.getByTestId('skeleton-card')).toHaveCount(6);
  await expectNoViolations(page, '#browse');
  release();
  await expect(page.getByText('No agents found matching your criteria.')).toBeVisible();
  await expectNoViolations(page, '#browse');
  await search('translaton');
  await expect(page.getByText('Showing results for ‘translation’')).toBeVisible();
  await expectNoViolations(page, '#browse');

  await page.route('**/api/agents/category/*', (route) => route.abort());
  await page.getByRole('button', { name: 'Computer', exact: true }).click();
  await expect(page.getByText('The registry could not be reached.')).toBeVisible();
  const long = 'W'.repeat(200);
  await search(long);
  await expect(page.getByRole('button', { name: `Search all agents for '${long}'` })).toBeVisible();
  await expectNoViolations(page, '#browse');
  await expectReflow(page);
});

test(
  'axe finds no violations in the open filters and an empty list with filters',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await page.goto('/?q=zzzzzz&pricing=paid&apiAccess=yes');
    await expect(page.getByText('No agents found matching your criteria.')).toBeVisible();
    await expectNoViolations(page, '#browse');
    await page.getByRole('button', { name: 'Filters (2)' }).click();
    await expect(page.locator('#filters')).toBeVisible();
    await expectNoViolations(page, '#browse');
    await page.keyboard.press('Escape');
    await expect(page.locator('#filters')).toBeHidden();
  },
);

test('axe finds no violations in a form with errors, nor in toasts', { tag: '@desktop' }, async ({ page }) => {
  await openForm(page);
  await submitButton(page).click();
  await expect(page.getByRole('alert')).toContainText('Name is required');
  await expectNoViolations(page, '#register');
  await expectReflow(page);

  await page.getByRole('button', { name: 'Save Draft' }).click();
  await expect(toast(page, 'Draft saved')).toBeVisible();
  await expectNoViolations(page, '[aria-label^=Notifications]');
  await page.getByLabel('Agent Name').fill('Drafty');
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new Error('The storage is full.');
    };
  });
  await page.getByRole('button', { name: 'Save Draft' }).click();
  await expect(toast(page, 'This browser does not allow drafts to be kept.')).toBeVisible();
  await expectNoViolations(page, '[aria-label^=Notifications]');
});

test('axe finds no violations in the sheet of filters and the open drawer', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Filters' }).tap();
  await expect(page.getByRole('button', { name: 'Close filters' })).toBeVisible();
  await expectNoViolations(page, '#browse');
  await page.getByRole('button', { name: 'Close filters' }).tap();
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'About' })).toBeVisible();
  await expectNoViolations(page, '[role=dialog]');
});

test('the API reference reflows, and axe finds no violations in it', { tag: '@all' }, async ({ page }) => {
  await page.goto('/api/docs', { waitUntil: 'load' });
  await expectNoViolations(page);
  await expectReflow(page);
});

test('the API reference is read with the keyboard alone', { tag: ['@desktop', '@all'] }, async ({ page }) => {
  await page.goto('/api/docs', { waitUntil: 'load' });
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  const search = page.getByRole('navigation', { name: 'Calls' }).getByRole('link', { name: 'GET /api/search' });
  await tabTo(page, search);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'GET /api/search' })).toBeInViewport();
});

test('in forced colours, focus and pressed state are visible without colour', { tag: '@desktop' }, async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openForm(page, '/?category=vision');
  const look = (target: ReturnType<Page['locator']>) =>
    target.evaluate((element) => {
      const { backgroundColor, borderTopWidth, borderTopStyle, outlineStyle, outlineWidth } = getComputedStyle(element);
      return { backgroundColor, border: `${borderTopStyle} ${borderTopWidth}`, outlineStyle, outlineWidth };
    });
  const filter = (name: string) => page.getByRole('button', { name, exact: true });
  const [pressed, other] = [await look(filter('Computer')), await look(filter('Language'))];
  expect(pressed.backgroundColor).not.toBe(other.backgroundColor);
  const colours = await filter('Computer').evaluate((pill) =>
    [pill, ...pill.children].map((element) => getComputedStyle(element).color),
  );
  expect(new Set(colours).size, 'the icon and the count have the colour of the label').toBe(1);
  for (const target of [filter('Language'), submitButton(page)]) {
    expect((await look(target)).border).toBe('solid 1px');
  }

  const cards = page.locator('#browse').getByRole('article');
  for (const index of [0, 1])
    await cards
      .nth(index)
      .getByRole('button', { name: /^Keep / })
      .click();
  const compare = page.getByRole('link', { name: 'Compare →' });
  await expect(compare).toBeVisible();
  const drawn = await page.evaluate(() => {
    const styleOf = (element: Element) => getComputedStyle(element);
    const all = (selector: string) => [...document.querySelectorAll(selector)];
    return {
      arrows: all('a .arrow').map((arrow) => [
        styleOf(arrow).backgroundColor,
        styleOf(arrow.closest('a') ?? arrow).color,
      ]),
      initials: all('span[aria-hidden] > svg + span').map((initials) => styleOf(initials).color),
      keeps: all('article button[aria-pressed] svg').map((icon) => [
        styleOf(icon).stroke,
        styleOf(icon.parentElement ?? icon).color,
      ]),
    };
  });
  expect(drawn.arrows.length).toBeGreaterThan(7);
  for (const [arrow, text] of [...drawn.arrows, ...drawn.keeps]) expect(arrow).toBe(text);
  expect(new Set(drawn.initials), 'the initials on marks keep their colour').toEqual(new Set(['rgb(255, 255, 255)']));

  await page.getByRole('combobox', { name: 'Search agents' }).focus();
  for (const target of [
    page.getByRole('combobox', { name: 'Search agents' }),
    page.getByRole('button', { name: 'Search', exact: true }),
    filter('Chatbots'),
  ]) {
    await expect(target).toBeFocused();
    expect(await look(target)).toMatchObject({ outlineStyle: 'solid', outlineWidth: '2px' });
    await page.keyboard.press('Tab');
  }
  for (const name of ['Agent Name', 'Category', 'Description']) {
    await page.getByLabel(name).focus();
    expect(await look(page.getByLabel(name))).toMatchObject({ outlineStyle: 'solid', outlineWidth: '2px' });
  }
  await page.getByRole('button', { name: 'Save Draft' }).click();
  expect((await look(page.locator('[data-variant=default]:has-text("Draft saved")').last())).border).toBe('solid 1px');
});

test(
  'at most 22 stops of the Tab key come before the first card, the second one skips to it',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await openForm(page);
    await expect(page.getByTestId('skeleton-card')).toHaveCount(0);
    const isOnCard = () => page.evaluate(() => document.activeElement?.closest('article') !== null);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to results' })).toBeFocused();
    let stops = 2;
    for (; stops < 40; stops += 1) {
      await page.keyboard.press('Tab');
      if (await isOnCard()) break;
    }
    expect(stops).toBeLessThanOrEqual(22);
    const controls = page.getByRole('main').locator('a, button, input, select, textarea').filter({ visible: true });
    expect(await controls.count()).toBeLessThanOrEqual(96);
    await page.getByRole('link', { name: 'Skip to results' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await isOnCard()).toBe(true);
  },
);

test(
  'on a small screen, the beginning of the results and a focused category are within it',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 400 });
    await openForm(page);
    await page.getByRole('link', { name: 'Skip to results' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('#browse').getByRole('heading', { level: 3 }).first()).toBeInViewport();
    await page.getByRole('button', { name: 'Chatbots', exact: true }).focus();
    for (const name of ['Automation', 'Analytics', 'Creative', 'Computer', 'Language']) {
      await page.keyboard.press('Tab');
      await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
    }
  },
);

test(
  'searching, opening an agent and registering work with the keyboard alone',
  { tag: '@desktop' },
  async ({ page }) => {
    await openForm(page);
    await expect(page.getByTestId('skeleton-card')).toHaveCount(0);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('combobox', { name: 'Search agents' }));
    await page.keyboard.type('otterdesk');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/?q=otterdesk');
    await expect(page.locator('#browse').getByRole('article').first()).toHaveAccessibleName('OtterDesk');
    await tabTo(page, page.getByRole('link', { name: 'OtterDesk', exact: true }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('OtterDesk');
    await tabTo(page, page.getByRole('link', { name: 'Contact Agent Owner' }));
    await page.goBack();

    await tabTo(page, page.getByLabel('Agent Name'));
    await page.keyboard.type('Typed by hand');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Registered with the keyboard alone.');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Chat');
    await expect(page.getByLabel('Category')).toHaveValue('chatbot');
    await tabTo(page, page.getByLabel('Contact Email'));
    await page.keyboard.type('hands@example.com');
    await tabTo(page, page.getByLabel(/I agree to the terms/));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('main').getByRole('button', { name: 'Register Agent' }));
    await page.keyboard.press('Enter');
    await expect(toast(page, 'Your agent has been registered successfully.')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Typed by hand is listed' })).toBeFocused();
  },
);

test(
  'filtering, sorting, removing a filter and reporting work with the keyboard alone',
  { tag: ['@desktop', '@all'] },
  async ({ page, client }) => {
    const { id } = await client.agents.register.mutate({ ...validAgent, name: 'Keyboard Vole', pricingModel: 'paid' });
    await page.goto('/?q=vole');
    const browse = page.locator('#browse');
    const filters = browse.getByRole('button', { name: /^Filters/ });
    await tabTo(page, filters);
    await page.keyboard.press('Enter');
    await tabTo(page, browse.getByLabel('Paid 1'));
    await page.keyboard.press('Space');
    await expect(page).toHaveURL('/?q=vole&pricing=paid');
    await page.keyboard.press('Escape');
    await expect(filters).toBeFocused();
    await tabTo(page, browse.getByRole('combobox', { name: 'Sort' }));
    await page.keyboard.press('ArrowDown');
    await expect(page).toHaveURL(/&sort=\w+$/);
    await tabTo(page, page.getByRole('link', { name: 'Remove the filter Paid' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\?q=vole&sort=\w+$/);
    await expect(browse).toBeFocused();

    await tabTo(page, page.getByRole('link', { name: 'Keyboard Vole', exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('link', { name: 'Report a problem' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByLabel('What is the problem?'));
    await page.keyboard.type('It is spam');
    await page.keyboard.press('Tab');
    await page.keyboard.type('It sells watches.');
    await tabTo(page, page.getByRole('button', { name: 'Send Report' }));
    await page.keyboard.press('Enter');
    await expect(toast(page, 'Thank you. The operator will look at it.')).toBeVisible();
    await expect(page).toHaveURL(`/agent/${id}`);
  },
);
