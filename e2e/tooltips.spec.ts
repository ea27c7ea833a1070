import { expect, openWithStandingClock, test } from './test.ts';

test(
  'a tooltip opens after 700 ms, the next within 300 ms at once, a later one waits',
  { tag: '@desktop' },
  async ({ page }) => {
    await openWithStandingClock(page);
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
  },
);

test('"+N" tells the remaining capabilities', { tag: '@desktop' }, async ({ page, client }) => {
  const [agent] = await client.agents.search.query({ q: 'transcription' });
  const rest = agent?.capabilities.slice(3).join(', ') ?? '';
  await page.goto('/?q=transcription');
  await page
    .getByRole('article', { name: agent?.name ?? '' })
    .getByText(/^\+\d+$/)
    .hover();
  await expect(page.getByRole('tooltip')).toHaveText(rest);
});
