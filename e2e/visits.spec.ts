import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { expectNoViolations, expectReflow } from './expect-no-violations.ts';
import { startRegistry } from './registry.ts';
import { expect, test } from './test.ts';

const DAY = 86_400_000;

test('a visitor who comes back sees what is new since, and nothing moves', { tag: '@all' }, async ({ page }) => {
  const registry = await startRegistry(
    Array.from({ length: 14 }, (_, index) =>
      makeAgent({ name: `Stork ${index}`, createdAt: new Date().toISOString() }),
    ),
  );
  try {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const askedSince = () => asked.filter((url) => url.includes('since='));
    await page.goto(registry.url);
    const readVisit = () => page.evaluate(() => localStorage.getItem('agent-registry.visit'));
    await expect.poll(readVisit).toContain('seenAt');
    const news = page.locator('#browse').getByRole('link', { name: /^14 new/ });
    await expect(news).toHaveCount(0);
    expect(askedSince()).toEqual([]);

    const seenAt = new Date(Date.now() - 8 * DAY).toISOString();
    await page.addInitScript((visit) => {
      // Once, in place of the visit that was kept when the page before was left.
      if (sessionStorage.getItem('seeded') === null) localStorage.setItem('agent-registry.visit', visit);
      sessionStorage.setItem('seeded', '');
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    }, JSON.stringify({ seenAt }));
    await page.goto(registry.url);
    await expect(news).toHaveText(/^14 new since \w+ \d+/);
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    // A font that comes late moves letters by less; another line would move half of the page.
    expect(shifts.filter((shift) => shift > 0.001)).toEqual([]);
    await expectNoViolations(page, '#browse');
    await expectReflow(page);
    await news.click();
    await expect(page).toHaveURL(`${registry.url}/?since=${seenAt.slice(0, 10)}`);
    await expect(page.locator('#browse').getByRole('article')).toHaveCount(12);
    await expect(page.locator('#browse')).toContainText('14 agents · newest first');
    await expect(news).toHaveCount(0);
  } finally {
    await registry.stop();
  }
});
