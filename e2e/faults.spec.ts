import { expect, openForm, test } from './test.ts';

test(
  'the home page is whole before any scroll, and its menus, colours and fields work, also on a low screen',
  { tag: '@desktop' },
  async ({ page }) => {
    await openForm(page);
    await test.step('the accessibility tree and the text have every section before any scroll', async () => {
      for (const name of ['Register Your Agent', 'Categories']) {
        await expect(page.getByRole('heading', { level: 2, name, exact: true })).toHaveCount(1);
      }
      // Browsing agents read it; text of elements that are not rendered is left out of it.
      const text = await page.evaluate(() => document.body.innerText);
      expect(text).toContain('Systems that see');
      expect(await page.evaluate(() => document.querySelectorAll('section:has(h2)').length)).toBeGreaterThan(2);
      const unrendered = await page
        .locator('h2, h3')
        .evaluateAll((headings) =>
          headings
            .filter((heading) => !heading.checkVisibility({ contentVisibilityAuto: true }))
            .map((h) => h.textContent),
        );
      expect(unrendered).toEqual([]);
    });
    await test.step('the terms are not invalid before a submission', async () => {
      const terms = page.getByRole('checkbox', { name: /^I agree to the terms/ });
      await expect(terms).toHaveAttribute('aria-invalid', 'false');
      await expect(terms).toHaveJSProperty('required', true);
    });
    await test.step('below 480 px of height nothing sticks', async () => {
      const size = page.viewportSize() ?? { width: 1440, height: 900 };
      const findStuck = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('body *')]
            .filter((element) => ['sticky', 'fixed'].includes(getComputedStyle(element).position))
            .filter((element) => element.checkVisibility() && element.clientHeight > 20 && element.textContent !== '')
            .filter((element) => !element.matches('[href="#main"], [href="#results"], [role=region], [role=region] *'))
            .map((element) => element.outerHTML.slice(0, 80)),
        );
      expect(await findStuck()).not.toEqual([]);
      await page.setViewportSize({ width: 720, height: 450 });
      expect(await findStuck()).toEqual([]);
      await page.setViewportSize(size);
    });
    await test.step('a semicolon separates capabilities as it is typed', async () => {
      await page.getByLabel('Capabilities', { exact: true }).pressSequentially('chat; voice');
      await expect(page.getByText(/^2 of \d+/).or(page.getByText(/^2 \/ \d+/))).toBeVisible();
    });
    await test.step('a press beside a menu closes it, and the next one opens the card', async () => {
      await page.getByRole('button', { name: 'Filters' }).click();
      await expect(page.getByLabel('API Planned')).toBeVisible();
      const card = page.locator('#browse article').first();
      // Forced, since the card lets the press through to what is behind it.
      await card.click({ position: { x: 10, y: 10 }, force: true });
      await expect(page.getByLabel('API Planned')).toBeHidden();
      await expect(page).toHaveURL('/');
      await card.click({ position: { x: 10, y: 10 } });
      await expect(page).toHaveURL(/\/agent\//);
    });
  },
);

test(
  'an unused search text is announced with the category that wins',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await page.goto('/?category=analytics&q=weather');
    const message = page.locator('[aria-live=polite]', { hasText: '‘weather’' });
    await expect(message).toContainText('‘weather’ is not used while Analytics & Intelligence is chosen.');
    await expect(message.getByRole('button', { name: "Search all agents for 'weather'" })).toBeVisible();
  },
);

test.describe('an address', () => {
  test.use({ expectedErrors: /status of 400/ });

  test('with an unknown category says so', { tag: ['@desktop', '@all'] }, async ({ page }) => {
    await page.goto('/?category=nosuch');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No Such Category');
    await expect(page.getByText('This address asks for a category that does not exist.')).toBeVisible();
  });
});

test('the title of a form names the action and the agent', { tag: ['@desktop', '@all'] }, async ({ page, client }) => {
  const [agent] = await client.agents.list.query({ limit: 1 });
  for (const [action, title] of [
    ['edit', 'Edit'],
    ['withdraw', 'Withdraw'],
    ['key', 'Lost key of'],
    ['report', 'Report a problem with'],
  ]) {
    await page.goto(`/agent/${agent?.id}?manage=${action}`);
    await expect(page).toHaveTitle(`${title} ${agent?.name} – Agent Registry`);
  }
});
