import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { expectNoViolations, expectReflow } from './expect-no-violations.ts';
import { expect, test as sampleTest, testWith } from './test.ts';

/** Names that are hard to fit, and a name like others. */
const names = [
  'A'.repeat(100),
  'وكيل الذكاء الاصطناعي للمحادثة',
  '👩‍💻'.repeat(20),
  'H\u0300\u0301\u0302\u0303eap',
  'Otter',
];

const agents = Array.from({ length: 14 }, (_, index) =>
  makeAgent({
    name: names[index] ?? `Agent ${index}`,
    connections:
      index % 3 === 0
        ? [
            { kind: 'mcp', transport: 'sse', url: 'https://example.com/mcp' },
            { kind: 'a2a', card: 'https://example.com/card.json' },
            { kind: 'skill', url: 'https://example.com/SKILL.md', format: 'md' },
            { kind: 'openapi', url: 'https://example.com/openapi.json' },
          ]
        : undefined,
    apiAccess: 'planned',
    pricingModel: index % 2 === 0 ? 'freemium' : 'enterprise',
    capabilities: index % 2 === 0 ? ['Code Review'] : ['code-review', 'translation'],
    createdAt: new Date(Date.UTC(2026, 0, 31 - index)).toISOString(),
  }),
);

const test = testWith(agents);

// In one worker, since each one would start the registry.
test.describe.configure({ mode: 'default' });

test(
  'rows are lines of one height that lead to their agents, and back',
  { tag: ['@layout', '@all'] },
  async ({ page }) => {
    await page.goto('/');
    const browse = page.locator('#browse');
    await expect(browse.getByRole('article')).toHaveCount(12);
    await browse.getByRole('button', { name: 'Rows' }).click();
    await expect(page).toHaveURL('/?view=rows');
    const rows = browse.locator('tbody tr');
    await expect(rows).toHaveCount(12);
    await expect(browse.getByRole('article')).toHaveCount(0);
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThanOrEqual(64);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1);
    await expectNoViolations(page, '#browse');
    await expectReflow(page);
    await browse.getByRole('button', { name: 'Load More Agents' }).click();
    await expect(rows).toHaveCount(14);
    const last = rows.nth(12).getByRole('link');
    await expect(last).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agent 12');
    await page.goBack();
    await expect(rows).toHaveCount(14);
    await browse.getByRole('button', { name: 'Cards' }).click();
    await expect(browse.getByRole('article')).toHaveCount(12);
  },
);

test(
  'a category is suggested in the empty search box, a filter is removed, and an agent opens with a press on its row',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    await page.goto('/?view=rows');
    const rows = page.locator('#browse tbody tr');
    await expect(rows).toHaveCount(12);
    await page.locator('#browse').getByRole('combobox', { name: 'Search agents' }).focus();
    const suggestions = page.getByRole('listbox', { name: 'Suggestions' });
    await suggestions.getByRole('option', { name: 'Automation & Workflow' }).click();
    await expect(page).toHaveURL('/?category=automation&view=rows');
    await expect(rows).toHaveCount(12);

    await page.goto('/?capability=translation&view=rows');
    await expect(rows).toHaveCount(7);
    await expectNoViolations(page, '#browse');
    await page.getByRole('link', { name: 'Remove the filter translation' }).click();
    await expect(page).toHaveURL('/?view=rows');

    await test.step('a press anywhere on a row opens its agent', async () => {
      await expect(rows).toHaveCount(12);
      const cell = rows.nth(11).locator('td').first();
      const { width = 0 } = (await cell.boundingBox()) ?? {};
      expect(width, 'the description is wide').toBeGreaterThanOrEqual(480);
      await cell.scrollIntoViewIfNeeded();
      const { x = 0, y = 0 } = (await cell.boundingBox()) ?? {};
      await page.mouse.click(x + 5, y + 5);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agent 11');
    });
  },
);

sampleTest.describe('without scripts', () => {
  sampleTest.use({ javaScriptEnabled: false });

  sampleTest('rows and the switch are links', { tag: ['@desktop', '@all'] }, async ({ page }) => {
    await page.goto('/');
    const browse = page.locator('#browse');
    await browse.getByRole('button', { name: 'Rows' }).click();
    await expect(browse.locator('tbody tr')).toHaveCount(12);
  });
});
