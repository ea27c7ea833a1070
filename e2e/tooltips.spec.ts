import type { Page } from '@playwright/test';
import { expect, openWithPausedClock, test } from './test.ts';

/** Opens the home page with a paused clock, and waits until the tooltips work. */
async function openWithTooltips(page: Page) {
  await openWithPausedClock(page);
  const tooltip = page.getByRole('tooltip');
  await page.getByRole('button', { name: 'Chatbots', exact: true }).hover();
  await expect
    .poll(async () => {
      await page.clock.runFor(700);
      return tooltip.count();
    })
    .toBe(1);
  await page.mouse.move(5, 400);
  await page.clock.runFor(400);
  await expect(tooltip).toHaveCount(0);
}

test(
  'a tooltip opens after 700 ms, the next within 300 ms at once, a later one waits; it stays while it is pointed at',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await openWithTooltips(page);
    const tooltip = (name: string) => page.getByRole('tooltip', { name });
    const button = (name: string) => page.getByRole('button', { name, exact: true });

    await button('Computer').hover();
    await page.clock.runFor(650);
    await expect(tooltip('Computer Vision')).toHaveCount(0);
    await page.clock.runFor(100);
    await expect(tooltip('Computer Vision')).toBeVisible();
    const [target, box] = [await button('Computer').boundingBox(), await tooltip('Computer Vision').boundingBox()];
    expect(Math.round((target?.y ?? 0) - (box?.y ?? 0) - (box?.height ?? 0))).toBe(4);

    await button('Language').hover();
    await page.clock.runFor(50);
    await expect(tooltip('Language Processing')).toBeVisible();

    await page.mouse.move(5, 400);
    await page.clock.runFor(400);
    await expect(page.getByRole('tooltip')).toHaveCount(0);
    await button('Creative').hover();
    await page.clock.runFor(500);
    await expect(tooltip('Creative & Content')).toHaveCount(0);
    await page.clock.runFor(300);
    await expect(tooltip('Creative & Content')).toBeVisible();

    await test.step('it stays while it is pointed at, and a press closes it', async () => {
      const { x = 0, y = 0, width = 0 } = (await tooltip('Creative & Content').boundingBox()) ?? {};
      // Across the gap, point by point.
      await page.mouse.move(x + width / 2, y, { steps: 40 });
      await page.clock.runFor(800);
      await expect(tooltip('Creative & Content')).toBeVisible();
      await page.mouse.down();
      await page.clock.runFor(400);
      await expect(page.getByRole('tooltip')).toHaveCount(0);
    });
  },
);

test(
  'with the keyboard a tooltip opens on focus, describes its control, and closes on Escape',
  {
    tag: '@desktop',
  },
  async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Search', exact: true }).focus();
    await page.keyboard.press('Tab');
    const first = page.getByRole('group', { name: 'Filters' }).getByRole('button').first();
    await expect(first).toBeFocused();
    await expect(page.getByRole('tooltip')).toBeVisible();
    await expect(first).toHaveAccessibleDescription((await page.getByRole('tooltip').textContent()) ?? '');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('tooltip')).toHaveCount(0);
    await expect(first).toHaveAccessibleDescription('');
    await expect(first).toBeFocused();
  },
);

test(
  '"+N" shows the remaining capabilities, on touch screens at a tap',
  { tag: '@all' },
  async ({ page, client, hasTouch }) => {
    const [agent] = await client.agents.search.query({ q: 'transcription' });
    const rest = agent?.capabilities.slice(3).join(', ') ?? '';
    await page.goto('/?q=transcription');
    const more = page.getByRole('article', { name: agent?.name ?? '' }).getByText(/^\+\d+$/);
    await (hasTouch ? more.tap() : more.hover());
    await expect(page.getByRole('tooltip')).toHaveText(rest);
    await expect(more).toHaveAccessibleDescription('');
  },
);
