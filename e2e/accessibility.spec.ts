import type { Page } from '@playwright/test';
import { expectNoViolations } from './expect-no-violations.ts';
import { expect, holdBack, openForm, test } from './test.ts';

test.use({ expectedErrors: /Failed to load resource/ });

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('axe finds nothing on the home page, with results and with form errors', async ({ page }) => {
      await openForm(page);
      await expect(page.locator('#browse').getByRole('article')).toHaveCount(12);
      await expectNoViolations(page);
      await page.getByRole('main').getByRole('button', { name: 'Register Agent' }).click();
      await expect(page.getByText('Name is required')).toBeVisible();
      await expectNoViolations(page);
    });

    test('axe finds nothing while the list loads, without results, under a category and with a correction', async ({
      page,
    }) => {
      const release = await holdBack(page, 'GET', '**/api/search?*');
      await page.goto('/');
      await page.getByRole('searchbox').fill('otterdesk');
      await page.getByRole('searchbox').press('Enter');
      await expect(page.getByTestId('skeleton-card')).toHaveCount(6);
      await expectNoViolations(page);
      release();
      await page.goto('/?q=zzzzzz');
      await expect(page.getByText('No agents found matching your criteria.')).toBeVisible();
      await expectNoViolations(page);
      await page.goto('/?category=vision&q=otter');
      await expect(page.locator('#browse').getByRole('article')).toHaveCount(7);
      await expectNoViolations(page);
      await page.goto('/?q=translaton');
      await expect(page.getByText('Showing results for ‘translation’')).toBeVisible();
      await expectNoViolations(page);
    });

    test('axe finds nothing on an agent’s page and on the not-found pages', async ({ page, client }) => {
      const agents = await client.agents.list.query();
      for (const path of [`/agent/${agents.at(-1)?.id}`, '/agent/no-uuid', '/no/such/page']) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectNoViolations(page);
      }
    });

    test('axe finds nothing in an open toast', async ({ page }) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Save Draft' }).click();
      await expect(page.getByText('Draft saved')).toBeVisible();
      await expectNoViolations(page);
    });

    test('axe finds nothing in the open drawer', { tag: '@phone' }, async ({ page }) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Open menu' }).click();
      await expect(page.getByRole('dialog').getByRole('link', { name: 'About' })).toBeVisible();
      await expectNoViolations(page);
    });
  });
}

test('with the keyboard alone one can search, open an agent and register', { tag: '@desktop' }, async ({ page }) => {
  await openForm(page);
  await expect(page.getByTestId('skeleton-card')).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  const tabTo = async (target: ReturnType<Page['locator']>) => {
    for (let presses = 0; presses < 80; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('Tab never came there.');
  };

  await tabTo(page.getByRole('searchbox'));
  await page.keyboard.type('otterdesk');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/?q=otterdesk');
  await expect(page.locator('#browse').getByRole('article').first()).toHaveAccessibleName('OtterDesk');
  await tabTo(page.getByRole('article', { name: 'OtterDesk' }).getByRole('link'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('OtterDesk');
  await tabTo(page.getByRole('link', { name: 'Contact Agent Owner' }));
  await page.goBack();

  await tabTo(page.getByLabel('Agent Name'));
  await page.keyboard.type('Typed by hand');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Registered with the keyboard alone.');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Chat');
  await expect(page.getByLabel('Category')).toHaveValue('chatbot');
  await tabTo(page.getByLabel('Contact Email'));
  await page.keyboard.type('hands@example.com');
  await tabTo(page.getByLabel(/I agree to the terms/));
  await page.keyboard.press('Space');
  await tabTo(page.getByRole('main').getByRole('button', { name: 'Register Agent' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your agent has been registered successfully.')).toBeVisible();
});
