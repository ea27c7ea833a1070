import { expectNoViolations } from './expect-no-violations.ts';
import { expect, test } from './test.ts';

test(
  'suggestions are chosen with the keyboard alone, and axe finds nothing in them',
  { tag: '@desktop' },
  async ({ page }) => {
    await page.goto('/');
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search agents' });
    await expect(page.getByRole('group', { name: 'Categories' }).getByRole('option')).toHaveCount(6);
    await page.keyboard.type('otter');
    await expect(page.getByRole('option', { name: /^OtterDesk/ })).toBeVisible();
    await expectNoViolations(page, '#browse');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('listbox')).toBeHidden();
    await expect(field).toHaveValue('otter');
    // The letter that opens the list again is kept.
    await page.keyboard.type('d');
    await expect(page.getByRole('option', { name: 'Search all agents for ‘otterd’' })).toBeVisible();
    await expect(field).toHaveValue('otterd');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('listbox')).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('option', { name: /^OtterDesk/ })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('OtterDesk');
  },
);

test(
  'on a phone the list fills the screen below the field, also in the menu',
  { tag: ['@phone', '@all'] },
  async ({ page }) => {
    await page.goto('/');
    await page.getByRole('combobox', { name: 'Search agents' }).tap();
    await page.getByRole('combobox', { name: 'Search agents' }).pressSequentially('otter');
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    await expect(list.getByRole('option', { name: /^OtterDesk/ })).toBeInViewport();
    const { bottom, height } = await list.evaluate((element) => element.getBoundingClientRect());
    expect(bottom).toBeLessThanOrEqual(740);
    expect(height).toBeGreaterThan(740 / 2);

    await page.getByRole('button', { name: 'Open menu' }).tap();
    const menu = page.getByRole('dialog');
    await menu.getByRole('combobox', { name: 'Search agents' }).pressSequentially('otter');
    await expect(menu.getByRole('option', { name: /^OtterDesk/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu.getByRole('listbox')).toBeHidden();
    await menu.getByRole('combobox', { name: 'Search agents' }).pressSequentially('d');
    await menu.getByRole('option', { name: 'Search all agents for ‘otterd’' }).tap();
    await expect(page).toHaveURL('/?q=otterd');
    await expect(menu).toBeHidden();
  },
);
