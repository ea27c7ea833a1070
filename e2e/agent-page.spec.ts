import { expect, holdBack, openForm, test, validAgent } from './test.ts';

test('an agent’s page shows all of it', async ({ page, client }) => {
  const agent = await client.agents.register.mutate({
    ...validAgent,
    name: 'Whole Story',
    contactEmail: 'a+b@marmot.example.com',
  });
  await page.goto(`/agent/${agent.id}`);
  await expect(page).toHaveTitle(/Whole Story/);
  const article = page.getByRole('article');
  await expect(article.getByRole('heading', { level: 1 })).toHaveText('Whole Story');
  await expect(article).toContainText('Automation & Workflow');
  await expect(article).toContainText('0.0');
  await expect(article).toContainText('(0 reviews)');
  await expect(article).toContainText(agent.description);
  await expect(article.getByRole('listitem')).toHaveText(agent.capabilities);
  const fact = (label: string) => article.locator('dl > div', { hasText: label }).getByRole('definition');
  await expect(fact('Pricing Model')).toHaveText('Freemium');
  await expect(fact('API Access')).toHaveText('Available');
  const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  await expect(fact('Added')).toHaveText(today.format(new Date(agent.createdAt)));
  await expect(article.getByRole('link', { name: 'Contact Agent Owner' })).toHaveAttribute(
    'href',
    'mailto:a%2Bb@marmot.example.com',
  );
  const website = article.getByRole('link', { name: 'Visit Website' });
  await expect(website).toHaveAttribute('href', 'https://marmot.example.com');
  await expect(website).toHaveAttribute('target', '_blank');
  await expect(website).toHaveAttribute('rel', /ugc nofollow noopener/);
});

for (const apiAccess of ['no', 'planned'] as const) {
  test(`API access ${apiAccess} reads Not Available, and without a website there is no link to one`, async ({
    page,
    client,
  }) => {
    const agent = await client.agents.register.mutate({ ...validAgent, apiAccess, website: null });
    await page.goto(`/agent/${agent.id}`);
    await expect(page.getByText('Not Available')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Visit Website' })).toHaveCount(0);
  });
}

test('text of an owner is shown as text', async ({ page, client }) => {
  const name = '<img src=x onerror=alert(1)>';
  const agent = await client.agents.register.mutate({ ...validAgent, name, description: '<b>bold</b>\n{{7*7}}' });
  await page.goto(`/agent/${agent.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(page.getByText('<b>bold</b>')).toBeVisible();
});

test('an agent that was in a list is there at once, another after its skeleton', async ({ page, client }) => {
  const agents = await client.agents.list.query();
  const [first, last] = [agents[0], agents.at(-1)];
  const release = await holdBack(page, 'GET', '**/api/agents/*');
  await openForm(page);
  await page.getByRole('article').first().getByRole('link', { name: 'View Details →' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(first?.name ?? '');
  await page.evaluate((path) => {
    window.history.pushState(null, '', path);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, `/agent/${last?.id}`);
  await expect(page.getByTestId('agent-skeleton')).toBeVisible();
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(last?.name ?? '');
});

test('a card leads to its agent, and the page is read from its beginning', async ({ page }) => {
  await page.goto('/?q=otterdesk');
  await page.getByRole('article', { name: 'OtterDesk' }).getByRole('link', { name: 'View Details →' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('OtterDesk');
  await expect(page.getByRole('main')).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test('opening an agent’s page counts a view', async ({ page, client }) => {
  const [agent] = await client.agents.list.query();
  const before = (await client.stats.get.query()).monthlyViews;
  await page.goto(`/agent/${agent?.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(agent?.name ?? '');
  expect((await client.stats.get.query()).monthlyViews).toBeGreaterThan(before);
});

test.describe('where there is nothing', () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  for (const id of ['3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f', 'no-uuid']) {
    test(`the agent ${id} is Agent Not Found, with 404`, async ({ page }) => {
      const response = await page.goto(`/agent/${id}`);
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agent Not Found');
      await expect(page.getByText('The requested agent could not be found.')).toBeVisible();
    });
  }

  test('a failed load is Agent Not Found', async ({ page, client }) => {
    const [agent] = await client.agents.list.query();
    await page.route('**/api/agents/*', (route) => route.abort());
    await page.goto('/');
    await page
      .getByRole('article', { name: agent?.name ?? '' })
      .first()
      .getByRole('link', { name: 'View Details →' })
      .click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agent Not Found');
  });

  test('any other path is 404 Page Not Found, with 404 and the header', async ({ page }) => {
    const response = await page.goto('/no/such/page');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found');
    await page.getByRole('link', { name: 'Back to all agents' }).click();
    await expect(page).toHaveURL('/');
  });
});
