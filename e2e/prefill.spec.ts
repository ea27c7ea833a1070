import type { Page } from '@playwright/test';
import { expectNoViolations, expectReflow } from './expect-no-violations.ts';
import { expect, openForm, test } from './test.ts';

const source = 'agent-card.json';

/** Responds to prefills with fields as if the website had them: the registry fetches public hosts only. */
async function respondWith(page: Page, fields: Record<string, string>, category: string | null = null) {
  const urls: unknown[] = [];
  await page.route('**/api/prefill', async (route) => {
    urls.push(route.request().postDataJSON());
    const found = Object.entries(fields).map(([field, value]) => ({ field, value, source }));
    await route.fulfill({ json: { fields: found, category, redirectsTo: null } });
  });
  return urls;
}

test(
  'an address fills in the form by keyboard alone, and each field can be undone',
  { tag: ['@phone', '@all'] },
  async ({ page }) => {
    const urls = await respondWith(page, { name: 'Carded Marmot', description: 'Answers <b>mail</b>.' }, 'automation');
    await openForm(page);
    await page.getByLabel('Fill in from its address').focus();
    await page.keyboard.type('marmot.example.com');
    await page.keyboard.press('Enter');
    await expect(page.getByText('2 fields were filled in. Check them before you go on.')).toBeVisible();
    expect(urls).toEqual([{ url: 'https://marmot.example.com' }]);
    await expect(page.getByRole('textbox', { name: 'Agent Name' })).toHaveValue('Carded Marmot');
    await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Answers <b>mail</b>.');
    await expect(page.getByText(`from ${source}`)).toHaveCount(2);
    // The first gap.
    await expect(page.getByRole('combobox', { name: 'Category' })).toBeFocused();
    await expectNoViolations(page, '#register');
    await expectReflow(page);

    await page.getByRole('button', { name: /^Category: .*\?$/ }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('combobox', { name: 'Category' })).toHaveValue('automation');

    await page.getByRole('button', { name: 'Undo: Agent Name' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Agent Name' })).toHaveValue('');
    await expect(page.getByRole('textbox', { name: 'Agent Name' })).toBeFocused();
    await expect(page.getByText(`from ${source}`)).toHaveCount(1);
  },
);

test.describe('without scripts', { tag: '@phone' }, () => {
  test.use({ javaScriptEnabled: false, expectedErrors: /Failed to load resource.* 4\d\d/ });

  test('an address that cannot be read is kept, with the reason, and is not in the address of the page', async ({
    page,
  }) => {
    await page.goto('/');
    await page.getByLabel('Fill in from its address').fill('marmot.invalid');
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Fill in' }).click();
    const response = await answered;
    expect(response.headers()['cache-control']).toBe('no-store, no-transform');
    expect(response.request().url()).not.toContain('marmot');
    await expect(page.getByLabel('Fill in from its address')).toHaveValue('marmot.invalid');
    await expect(page.locator('#register').getByRole('status').first()).toContainText('marmot.invalid');
    await expect(page.getByLabel('Agent Name')).toHaveValue('');
  });
});
