import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { expect, testWith } from './test.ts';

const MARKS = '\u0300\u0301\u0302\u0303\u0308\u0330\u0331\u0332';

/** Names and capabilities that are hard to fit. */
const odd = ['A'.repeat(100), 'وكيل الذكاء الاصطناعي للمحادثة '.repeat(3).trim(), '👩‍💻'.repeat(20), `H${MARKS}eap`];

const agents = odd.map((name) =>
  makeAgent({ name, capabilities: [`${name}x`.slice(0, 60), 'second one', 'third', 'fourth'], website: null }),
);

const test = testWith(agents);

for (const width of [360, 1440]) {
  test(`cards of a row are equally high and hold their texts at ${width} px`, { tag: '@desktop' }, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    const cards = page.getByRole('region', { name: 'Browse Agents' }).getByRole('article');
    await expect(cards).toHaveCount(odd.length);
    const boxes = await cards.evaluateAll((all) =>
      all.map((card) => {
        const { top, height, right } = card.getBoundingClientRect();
        const texts = card.querySelectorAll('h3, p, ul, li, time, button');
        const isOutside = Array.from(texts).some((text) => text.getBoundingClientRect().right > right + 0.5);
        return { top: Math.round(top), height: Math.round(height), isOutside };
      }),
    );
    for (const box of boxes) {
      expect(box.isOutside).toBe(false);
      const row = boxes.filter(({ top }) => top === box.top);
      expect(new Set(row.map(({ height }) => height)).size).toBe(1);
    }
    await expect(cards.first().getByRole('button', { name: /^\+1 more/ })).toBeVisible();
  });
}
