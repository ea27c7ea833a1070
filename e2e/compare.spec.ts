import type { RegistryClient } from '@agent-registry/client';
import { hostileTexts } from '@agent-registry/contracts/testing/hostile-agents';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { expectNoViolations, expectReflow } from './expect-no-violations.ts';
import { startRegistry } from './registry.ts';
import { expect, test, validAgent } from './test.ts';

/** Lists agents of the first cards whose names no other card has. */
async function listUnique(client: RegistryClient) {
  const agents = await client.agents.list.query({ limit: 12 });
  const names = agents.map(({ name }) => name);
  return agents.filter(({ name }) =>
    names.every((other, index) => !other.startsWith(name) || index === names.indexOf(name)),
  );
}

test(
  'two agents are chosen and compared with the keyboard alone, axe finds nothing, and the server sends the same head',
  { tag: '@desktop' },
  async ({ page, client }) => {
    const [first, second] = await listUnique(client);
    await page.goto('/');
    await page.getByRole('button', { name: `Keep ${first?.name}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Keep ${second?.name}` }).focus();
    await page.keyboard.press('Space');
    const tray = page.getByRole('region', { name: 'Your list' });
    await expect(tray.getByRole('status')).toHaveText('2 of 4 agents');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Your list 2' })).toBeVisible();
    await expectNoViolations(page, '[aria-label="Your list"]');

    await page.reload();
    await tray.getByRole('link', { name: 'Your list' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const table = page.getByRole('table');
    await expect(table.getByRole('columnheader').getByRole('link', { name: first?.name, exact: true })).toBeVisible();
    await expect(page.locator('#browse')).toBeFocused();
    await expect(tray).toBeHidden();
    await expectNoViolations(page, '#browse');
    await page.goBack();
    await expect(tray).toBeVisible();

    await test.step('the head is the same from the server, hydrated and after navigation', async () => {
      const readHead = () =>
        page.evaluate(() => [
          document.title,
          document.querySelector('meta[name=description]')?.getAttribute('content'),
          document.querySelector('link[rel=canonical]')?.getAttribute('href'),
        ]);
      await page.getByRole('link', { name: 'Compare →' }).click();
      await expect(page).toHaveTitle(/^Compare .+ and .+ – Agent Registry$/);
      const navigated = await readHead();
      expect(navigated[2]).toContain(`/?compare=${[first?.id ?? '', second?.id ?? ''].toSorted().join(',')}`);
      await page.goto(page.url());
      expect(await readHead()).toEqual(navigated);
      // The switch works after hydration.
      await page.getByRole('button', { name: 'Switch to dark mode' }).click();
      expect(await readHead()).toEqual(navigated);
    });
  },
);

test(
  'on a phone the tray leaves the bar of an agent where it is',
  { tag: ['@phone', '@all'] },
  async ({ page, client }) => {
    // Of the same capabilities, which the table marks.
    const first = await client.agents.register.mutate({ ...validAgent, name: 'Tray Marmot' });
    const second = await client.agents.register.mutate({ ...validAgent, name: 'Tray Heron' });
    await page.goto('/');
    const toggle = page.getByRole('button', { name: `Keep ${first.name}` });
    await toggle.tap();
    await page.getByRole('button', { name: `Keep ${second.name}` }).tap();
    await page.goto(`/agent/${first.id}`);
    const tray = page.getByRole('region', { name: 'Your list' });
    await expect(tray).toBeVisible();
    await expect(tray).not.toHaveCSS('position', 'fixed');
    const actions = page.getByRole('link', { name: 'Visit Website' }).locator('..');
    await expect(actions).toHaveCSS('position', 'fixed');
    await expect(
      page
        .getByRole('article')
        .first()
        .getByRole('button', { name: `Keep ${first.name}` }),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Open menu' }).tap();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Your list 2' }).tap();
    await expect(page.getByRole('heading', { name: 'Your list: 2 agents' })).toBeInViewport();
    await page.goBack();
    await tray.getByRole('link', { name: 'Compare →' }).tap();
    await expect(page.getByRole('columnheader').getByRole('link', { name: /^Tray/ })).toHaveText([
      first.name,
      second.name,
    ]);
    await expectReflow(page);
  },
);

test('agents are chosen from rows', { tag: '@all' }, async ({ page, client, isMobile }) => {
  const [first, second] = await listUnique(client);
  await page.goto('/?view=rows');
  for (const agent of [first, second]) {
    const toggle = page.getByRole('button', { name: `Keep ${agent?.name}` });
    const { width = 0, height = 0 } = (await toggle.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(isMobile ? 44 : 24);
    await toggle.click();
    await expect(toggle).toHaveAttribute('aria-pressed', 'true');
  }
  await expectNoViolations(page, '#browse');
  await page.getByRole('region', { name: 'Your list' }).getByRole('link', { name: 'Compare →' }).click();
  await expect(page.getByRole('columnheader')).toHaveCount(3);
});

test('the way back from a comparison leads to the same cards at the same place', { tag: '@all' }, async ({ page }) => {
  await page.goto('/');
  const cards = page.locator('#browse').getByRole('article');
  await page.getByRole('button', { name: 'Load More Agents' }).click();
  await expect(cards).toHaveCount(24);
  for (const index of [17, 18])
    await cards
      .nth(index)
      .getByRole('button', { name: /^Keep / })
      .click();
  const compare = page.getByRole('link', { name: 'Compare →' });
  const readTop = () => page.evaluate(() => Math.round(window.scrollY));
  const link = page.locator('#browse').getByRole('link', { name: '← Back' });
  for (const goBack of [() => link.click(), () => page.goBack()]) {
    await compare.scrollIntoViewIfNeeded();
    const top = await readTop();
    expect(top).toBeGreaterThan(500);
    await compare.click();
    await expect(page.getByRole('columnheader')).toHaveCount(3);
    await page.getByRole('columnheader').getByRole('link').first().click();
    await page.getByRole('link', { name: '← Back to the comparison' }).click();
    await expect(page.getByRole('columnheader')).toHaveCount(3);
    await goBack();
    await expect(cards).toHaveCount(24);
    await expect.poll(readTop).toBe(top);
  }
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  for (const [view, path] of [
    ['cards', '/'],
    ['rows', '/?view=rows'],
  ] as const) {
    test(
      `agents are chosen from ${view} and compared`,
      { tag: view === 'rows' ? ['@desktop', '@all'] : '@desktop' },
      async ({ page, client }) => {
        const [first, second] = await listUnique(client);
        await page.goto(path);
        for (const agent of [first, second]) {
          await page.getByRole('checkbox', { name: `Compare ${agent?.name}` }).check();
        }
        await page.getByRole('button', { name: 'Compare', exact: true }).click();
        await expect(page.getByRole('columnheader')).toHaveCount(3);
        await page.getByRole('link', { name: `Remove ${first?.name}` }).click();
        await expect(page.getByRole('columnheader')).toHaveCount(2);
      },
    );
  }
});

test(
  'texts of agents stay text in tray and table, and do not widen the page',
  { tag: ['@desktop', '@all'] },
  async ({ page }) => {
    const agents = [...hostileTexts.markup.slice(0, 3), 'x'.repeat(100)].map((name) =>
      makeAgent({ name, capabilities: [name.slice(0, 60)], exampleTasks: [`Do ${name} for me.`], category: 'vision' }),
    );
    const registry = await startRegistry(agents);
    try {
      await page.goto(registry.url);
      for (const { name } of agents) await page.getByRole('button', { name: `Keep ${name}`, exact: true }).click();
      await page.getByRole('link', { name: 'Compare →' }).click();
      const links = page.getByRole('columnheader').getByRole('link', { name: /^(?!Remove)/ });
      await expect
        .poll(async () => (await links.allTextContents()).toSorted())
        .toEqual(agents.map(({ name }) => name).toSorted());
      await expect(page.getByRole('table').locator('script, img, [onclick], [onload]')).toHaveCount(0);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
      await page.setViewportSize({ width: 794, height: 1123 });
      await page.emulateMedia({ media: 'print' });
      await expect(page.getByRole('link', { name: /^Remove/ })).toHaveCount(0);
      const table = page.getByRole('table').locator('..');
      expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 'on paper').toBe(0);
    } finally {
      // It may still load files.
      await page.close();
      await registry.stop();
    }
  },
);
