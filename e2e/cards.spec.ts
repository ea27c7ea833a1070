import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { expect, testWith } from './test.ts';

const MARKS = '\u0300\u0301\u0302\u0303\u0308\u0330\u0331\u0332';

/** Names and capabilities that are hard to fit. */
const odd = ['A'.repeat(100), 'وكيل الذكاء الاصطناعي للمحادثة '.repeat(3).trim(), '👩‍💻'.repeat(20), `H${MARKS}eap`];

const agents = odd.map((name) =>
  makeAgent({ name, capabilities: [`${name}x`.slice(0, 60), 'second one', 'third', 'fourth'], website: null }),
);

const test = testWith(agents);

test('cards of a row are equally high and hold their texts', { tag: ['@desktop', '@all'] }, async ({ page }) => {
  await page.goto('/');
  const cards = page.getByRole('region', { name: 'Browse Agents' }).getByRole('article');
  await expect(cards).toHaveCount(odd.length);
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const boxes = await cards.evaluateAll((all) =>
      all.map((card) => {
        const { top, height, right } = card.getBoundingClientRect();
        const texts = card.querySelectorAll('h3, p, ul, li, time, button');
        const isOutside = Array.from(texts).some((text) => text.getBoundingClientRect().right > right + 0.5);
        return { top: Math.round(top), height: Math.round(height), isOutside };
      }),
    );
    for (const box of boxes) {
      expect(box.isOutside, `${width} px`).toBe(false);
      const row = boxes.filter(({ top }) => top === box.top);
      expect(new Set(row.map(({ height }) => height)).size, `${width} px`).toBe(1);
    }
    await expect(cards.first().getByRole('button', { name: /^\+1 more/ })).toBeVisible();
  }
});

const longest = { pricingModel: 'freemium', apiAccess: 'planned', rating: 4.5, reviewCount: 120 } as const;

testWith([
  makeAgent({ ...longest, capabilities: ['translation'] }),
  makeAgent({ ...longest, capabilities: [] }),
  makeAgent({ ...longest, capabilities: ['developer tools', 'general purpose', 'productivity', 'coding'] }),
])('the foot of a card is one line, and so are the longest terms', { tag: ['@desktop', '@all'] }, async ({ page }) => {
  await page.goto('/');
  const cards = page.getByRole('region', { name: 'Browse Agents' }).getByRole('article');
  await expect(cards).toHaveCount(3);
  for (const width of [360, 768, 1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const lines = await cards.evaluateAll((all) =>
      all.map((card) => {
        const middle = (selector: string) => {
          const { top = 0, bottom = 0 } = card.querySelector(selector)?.getBoundingClientRect() ?? {};
          return (top + bottom) / 2;
        };
        const link = Array.from(card.querySelectorAll('a')).at(-1)?.getBoundingClientRect();
        return {
          foot: Math.abs(middle('[data-rated]') - ((link?.top ?? 0) + (link?.bottom ?? 0)) / 2),
          terms: card.querySelector('time')?.parentElement?.getBoundingClientRect().height,
        };
      }),
    );
    for (const { foot, terms } of lines) {
      expect(foot, `${width} px`).toBeLessThan(2);
      expect(terms, `${width} px`).toBeLessThan(24);
    }
  }
});
