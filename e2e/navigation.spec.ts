import { expect, openForm, test } from './test.ts';

test('a URL with a hash opens at the section', { tag: ['@desktop', '@all'] }, async ({ page }) => {
  await page.goto('/#register');
  await expect(page.getByRole('heading', { name: 'Register Your Agent' })).toBeInViewport();
  await expect(page.getByTestId('skeleton-card')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Register Your Agent' })).toBeInViewport();
});

test.describe('on a wide screen', { tag: '@desktop' }, () => {
  const targets = [
    { name: 'Browse Agents', role: 'link', section: 'browse' },
    { name: 'Categories', role: 'link', section: 'categories' },
    { name: 'About', role: 'link', section: 'about' },
    { name: 'Register Agent', role: 'button', section: 'register' },
  ] as const;

  test('the header stays at the top, and scrolls to the sections', { tag: '@all' }, async ({ page }) => {
    await page.goto('/');
    await expect(page.getByTestId('skeleton-card')).toHaveCount(0);
    await page.locator('#categories').scrollIntoViewIfNeeded();
    await expect(page.getByRole('banner')).toBeInViewport();
    for (const { name, role, section } of targets) {
      const target = page.getByRole('banner').getByRole(role, { name });
      if (role === 'link') await expect(target).toHaveAttribute('href', `/#${section}`);
      await target.click();
      await expect(page.locator(`#${section}`)).toBeInViewport();
      await expect(page.locator(`#${section}`)).toBeFocused();
    }
  });

  test(
    'the header leads from an agent’s page to the sections, and its logo to the home page',
    { tag: '@all' },
    async ({ page, client }) => {
      const [agent] = await client.agents.list.query();
      const heading = page.getByRole('heading', { level: 1 });
      await page.goto(`/agent/${agent?.id}`);
      for (const { name, role, section } of targets) {
        await page.getByRole('banner').getByRole(role, { name }).click();
        await expect(page).toHaveURL(`/#${section}`);
        await expect(page.getByTestId('skeleton-card')).toHaveCount(0);
        await expect(page.locator(`#${section}`).getByRole('heading', { level: 2 }).first()).toBeInViewport();
        await expect(page.locator(`#${section}`)).toBeFocused();
        await page.goBack();
        await expect(heading).toHaveText(agent?.name ?? '');
      }
      await page.getByRole('banner').getByRole('link', { name: 'Agent Registry' }).click();
      await expect(page).toHaveURL('/');
      await expect(heading).toHaveText('Discover and register AI agents');
    },
  );
});

test.describe('on a phone', { tag: '@phone' }, () => {
  test(
    'the header stays at the top, and its drawer has the links, closes and returns the focus',
    { tag: '@all' },
    async ({ page }) => {
      await page.goto('/');
      await expect(page.getByTestId('skeleton-card')).toHaveCount(0);
      await test.step('Register Your Agent in the hero scrolls to the form', async () => {
        await page.getByRole('button', { name: 'Register Your Agent' }).click();
        await expect(page.getByLabel('Agent Name')).toBeInViewport();
      });
      await page.locator('#categories').scrollIntoViewIfNeeded();
      await expect(page.getByRole('banner')).toBeInViewport();
      const menu = page.getByRole('button', { name: 'Open menu' });
      const drawer = page.getByRole('dialog', { name: 'Menu' });

      await test.step('the section links and Register Agent are in a drawer on the right', async () => {
        await expect(page.getByRole('banner').getByRole('link', { name: 'Categories' })).toBeHidden();
        await menu.click();
        for (const name of ['Browse Agents', 'Categories', 'About']) {
          await expect(drawer.getByRole('link', { name })).toBeVisible();
        }
        await expect(drawer.getByRole('button', { name: 'Register Agent' })).toBeVisible();
        const box = await drawer.boundingBox();
        expect(Math.round((box?.x ?? 0) + (box?.width ?? 0))).toBe(360);
      });
      await test.step('Escape and the close button close it and return the focus', async () => {
        await page.keyboard.press('Escape');
        await expect(drawer).toBeHidden();
        await expect(menu).toBeFocused();
        await menu.click();
        await page.getByRole('button', { name: 'Close menu' }).click();
        await expect(drawer).toBeHidden();
        await expect(menu).toBeFocused();
      });
      await test.step('after a choice, it returns the focus the next time it is closed', async () => {
        await menu.click();
        await drawer.getByRole('link', { name: 'Categories' }).click();
        await expect(drawer).toBeHidden();
        await menu.click();
        await expect(page.getByRole('button', { name: 'Close menu' })).toBeFocused();
        await page.keyboard.press('Escape');
        await expect(drawer).toBeHidden();
        await expect(menu).toBeFocused();
      });
      await test.step('Register Agent closes it and scrolls to the form', async () => {
        await menu.click();
        await drawer.getByRole('button', { name: 'Register Agent' }).click();
        await expect(drawer).toBeHidden();
        await expect(page.getByRole('heading', { name: 'Register Your Agent' })).toBeInViewport();
        await expect(page.locator('#register')).toBeFocused();
      });
      await test.step('going back closes it', async () => {
        const category = page.getByRole('button', { name: 'Computer', exact: true });
        await category.click();
        await expect(category).toHaveAttribute('aria-pressed', 'true');
        await menu.click();
        await expect(drawer).toBeVisible();
        await page.goBack();
        await expect(drawer).toBeHidden();
      });
    },
  );

  test(
    'a section link in the drawer of an agent’s page leads to the home page',
    { tag: '@all' },
    async ({ page, client }) => {
      const [agent] = await client.agents.list.query();
      await page.goto(`/agent/${agent?.id}`);
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Categories' }).click();
      await expect(page).toHaveURL('/#categories');
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect(page.getByRole('heading', { name: 'Categories' })).toBeInViewport();
    },
  );
});

test.describe('with motion', () => {
  test.use({ reducedMotion: 'no-preference' });

  test('a button scrolls smoothly to its section', { tag: '@desktop' }, async ({ page }) => {
    await page.goto('/');
    await expect(page.getByTestId('skeleton-card')).toHaveCount(0);
    const places = await page.evaluate(async () => {
      const seen = new Set<number>();
      const target = document.querySelector('#register');
      const buttons = [...document.querySelectorAll<HTMLElement>('[role=button]')];
      buttons.find(({ textContent }) => textContent === 'Register Your Agent')?.click();
      await new Promise<void>((resolve) => {
        const look = () => {
          seen.add(Math.round(window.scrollY));
          if (target && target.getBoundingClientRect().top < 200) resolve();
          else requestAnimationFrame(look);
        };
        look();
      });
      return seen.size;
    });
    // A jump shows the place before and the place after.
    expect(places).toBeGreaterThan(2);
  });
});

test(
  'back restores scroll position, cards and focus, reload position and cards; a new visit starts at the top',
  { tag: '@desktop' },
  async ({ page }) => {
    const cards = page.locator('#browse').getByRole('article');
    const readTop = () => page.evaluate(() => window.scrollY);
    await openForm(page);
    await page.getByRole('button', { name: 'Register Your Agent' }).click();
    await expect(page.locator('#register')).toBeFocused();
    await page.getByRole('button', { name: 'Load More Agents' }).click();
    await expect(cards).toHaveCount(24);
    const link = cards.nth(20).getByRole('link').first();
    await link.scrollIntoViewIfNeeded();
    const before = await readTop();
    await link.click();
    await expect(page.getByRole('link', { name: 'Contact Agent Owner' })).toBeVisible();
    expect(await readTop()).toBe(0);

    await page.goBack();
    await expect(link).toBeFocused();
    await expect(link).toBeInViewport();
    await expect(cards).toHaveCount(24);
    expect(await readTop()).toBe(before);

    await page.reload();
    await expect(cards).toHaveCount(24);
    await expect(link).toBeInViewport();
    await expect.poll(readTop).toBe(before);

    for (const visit of process.env.TEST_TIER === 'all' ? ['first', 'second'] : ['only']) {
      await openForm(page);
      expect(await readTop(), visit).toBe(0);
      await expect(cards).toHaveCount(12);
      await cards.nth(6).scrollIntoViewIfNeeded();
      await expect.poll(readTop).toBeGreaterThan(0);
    }
  },
);
