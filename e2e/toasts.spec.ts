import type { Page } from '@playwright/test';
import { expect, openWithPausedClock, test } from './test.ts';

const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ }).getByRole('status');

async function showToast(page: Page) {
  await page.getByRole('button', { name: 'Save Draft' }).click();
  await expect(toasts(page)).toHaveCount(1);
}

async function swipe(page: Page, distance: number) {
  const box = await toasts(page).boundingBox();
  if (!box) throw new Error('There is no toast to swipe.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + distance / 2, y);
  await page.mouse.move(x + distance, y);
  await page.mouse.up();
  await page.clock.runFor(1);
}

/** Expects a toast that is at most 420 px wide and within the screen. */
async function expectToFit(page: Page) {
  const box = await toasts(page).boundingBox();
  expect(box?.width).toBeLessThanOrEqual(420);
  await expect(toasts(page)).toBeInViewport({ ratio: 1 });
}

/** Waits until no toast is visible: a closed one is removed in a timer of 0 ms, and the clock is paused. */
async function expectNoToast(page: Page) {
  const countToasts = async () => {
    await page.clock.runFor(1);
    return toasts(page).count();
  };
  await expect.poll(countToasts).toBe(0);
}

test.beforeEach(async ({ page }) => {
  await openWithPausedClock(page);
});

test(
  'F8 moves the focus to the toasts, which pauses them; F8 reopens a dismissed one for 1,000,000 ms',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await showToast(page);
    await page.keyboard.press('F8');
    await expect(page.getByRole('region', { name: /Notifications/ })).toBeFocused();
    await page.clock.runFor(60_000);
    await expect(toasts(page)).toHaveCount(1);

    await page.getByRole('button', { name: 'Dismiss notification' }).click();
    await expectNoToast(page);
    await expect(page.getByRole('button', { name: 'Save Draft' })).toBeFocused();

    await page.clock.runFor(999_000);
    await page.keyboard.press('F8');
    await expect(toasts(page)).toHaveCount(1);
    await expect(page.getByRole('region', { name: /Notifications/ })).toBeFocused();
    await page.getByRole('button', { name: 'Dismiss notification' }).click();
    await expectNoToast(page);
    await page.clock.runFor(1_001_000);
    await page.keyboard.press('F8');
    await expectNoToast(page);
  },
);

test(
  'a toast fits on the screen, and stays open under the pointer',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await showToast(page);
    await expectToFit(page);
    await toasts(page).hover();
    await page.clock.runFor(60_000);
    await expect(toasts(page)).toHaveCount(1);
    await page.mouse.move(10, 200);
    await page.clock.runFor(5_000);
    await expectNoToast(page);
  },
);

test(
  'a toast fits on a phone; a swipe of 50 px to the right dismisses it, a shorter one and one to the left do not',
  { tag: ['@phone', '@all'] },
  async ({ page }) => {
    await showToast(page);
    await expectToFit(page);
    await swipe(page, 40);
    await expect(toasts(page)).toHaveCount(1);
    await swipe(page, -120);
    await expect(toasts(page)).toHaveCount(1);
    await swipe(page, 60);
    await expectNoToast(page);
  },
);
